import { atMost, type Figure, median } from './support/figure.ts';
import { makeTrialContest } from './support/trial-contest.ts';

const AT_ONCE = 16;
const ROUNDS = 5;

/** Sixteen no-op trials at once against sixteen times their engine calls at once. */
export async function noopTrialsAtOnce(): Promise<readonly Figure[]> {
  await using contest = await makeTrialContest();
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await contest.round(AT_ONCE));
  const ours = median(rounds.map((round) => round.ours));
  const floor = median(rounds.map((round) => round.floor));
  const name = `${AT_ONCE} no-op trials at once`;
  return [
    atMost(1.5, { name, figure: ours, unit: 'ms', ratio: ours / floor }),
    { name: '  their engine calls by the thinnest client', figure: floor, unit: 'ms' },
  ];
}
