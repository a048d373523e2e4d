import { atMost, type Figure, median } from './support/figure.ts';
import { makeTrialContest } from './support/trial-contest.ts';

const ROUNDS = 12;

/** A no-op trial against the engine calls it is made of, one at a time. */
export async function noopTrial(): Promise<readonly Figure[]> {
  await using contest = await makeTrialContest();
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await contest.round(1));
  const ours = median(rounds.map((round) => round.ours));
  const floor = median(rounds.map((round) => round.floor));
  return [
    atMost(1.3, { name: 'a no-op trial, one at a time', figure: ours, unit: 'ms', ratio: ours / floor }),
    { name: '  its engine calls by the thinnest client', figure: floor, unit: 'ms' },
    { name: '  engine calls of a pair', figure: contest.calls, unit: 'calls' },
  ];
}
