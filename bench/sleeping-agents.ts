import type { Trial } from '../src/model/trial.ts';
import { atLeast, type Figure, timed } from './support/figure.ts';
import { makeTrialRig } from './support/trial-rig.ts';
import { watchProcess } from './support/watch-process.ts';
import { withAgent } from './support/with-agent.ts';

const AT_ONCE = 64;
/**
 * Five minutes, what an agent with a model typically takes for a task of this kind. The sleep must be long enough that 64 starts
 * and 64 verifications fit beside it on 2 cores, which is the engine's work: see docs/performance.md.
 */
const SLEEP_S = 300;
const MIB = 2 ** 20;

/** 64 agents that sleep, all at once: what of the ideal (the sleep alone) remains, and what the runner uses meanwhile. */
export async function sleepingAgents(): Promise<readonly Figure[]> {
  const adapt = withAgent(`exec sleep ${SLEEP_S}`, 2 * SLEEP_S * 1000);
  await using rig = await makeTrialRig({ adapt, warmUp: false });
  const trials = Array.from({ length: AT_ONCE }, (_, place) => rig.pair[place % 2] as Trial);
  using watch = watchProcess(500);
  const seconds = (await timed(() => rig.run(trials, AT_ONCE))) / 1000;
  const beside = seconds - SLEEP_S;
  return [
    atLeast(80, {
      name: `${AT_ONCE} agents that sleep ${SLEEP_S} s, of ideal throughput`,
      figure: (100 * SLEEP_S) / seconds,
      unit: '%',
    }),
    { name: '  time beside the sleep, all together', figure: beside, unit: 's' },
    { name: '  shortest sleep that would reach 80 %', figure: beside * 4, unit: 's' },
    { name: "  runner's peak memory", figure: watch.peakBytes() / MIB, unit: 'MiB' },
    { name: "  runner's open files at most", figure: watch.peakFiles(), unit: 'files' },
  ];
}
