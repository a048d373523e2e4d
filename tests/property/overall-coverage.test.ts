import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/base/random.ts';
import { overallUncertainty } from '../../src/measure/uncertainty/overall-uncertainty.ts';
import type { TaskRates } from '../../src/measure/uncertainty/task-spread.ts';
import type { ConfigurationFigures, TaskFigures } from '../../src/model/measurement.ts';
import type { Interval } from '../../src/model/uncertainty.ts';
import { experiment, POPULATIONS } from '../support/simulated-tasks.ts';

const EXPERIMENTS = 1500;
const TRIALS = 3;
/** Three standard errors of a coverage of 95 %. */
const CHANCE = 3 * Math.sqrt((0.95 * 0.05) / EXPERIMENTS);

/** What three configurations make of one task: it is as hard for all, and they are of different strength. */
const STRENGTHS = [0.6, 0.8, 1] as const;

function atStrength({ baseline, treatment }: TaskRates, strength: number): TaskRates {
  return { baseline: baseline * strength, treatment: treatment * strength };
}

function configuration(
  name: string,
  rates: readonly (TaskRates & { readonly task: string })[],
): ConfigurationFigures {
  const scored = { planned: TRIALS, scored: TRIALS, unscored: 0, byReason: {} };
  const tasks = rates.map(({ task, baseline, treatment }) => {
    const counts = { baseline: scored, treatment: scored };
    return { task, baseline, treatment, gain: treatment - baseline, counts } as unknown as TaskFigures;
  });
  return { configuration: name, tasks, gainInterval: { low: 0, high: 0 } } as unknown as ConfigurationFigures;
}

/** `lacking`: the share of tasks that the last configuration does not have. */
function simulated(tasks: number, lacking: number, random: Random) {
  const drawn = Array.from({ length: tasks }, (_, at) => ({
    task: `t${String(at).padStart(3, '0')}`,
    ...POPULATIONS.even(random),
  }));
  const figures = STRENGTHS.map((strength, at) => {
    const had = at === STRENGTHS.length - 1 ? drawn.slice(Math.floor(tasks * lacking)) : drawn;
    const rates = had.flatMap((one) =>
      experiment(() => atStrength(one, strength), { tasks: 1, trials: TRIALS }, random).map((rate) => ({
        task: one.task,
        ...rate,
      })),
    );
    return configuration(`c${at}`, rates);
  });
  return overallUncertainty(figures);
}

/** Of the population `even`: baseline 1/2, treatment 1/2 + 1/2 * 1/4, times the strengths. */
const TRUTH = {
  baseline: 0.5 * 0.8,
  gain: 0.125 * 0.8,
  normalized: STRENGTHS.reduce((sum, s) => sum + (0.125 * s) / (1 - 0.5 * s) / STRENGTHS.length, 0),
};

describe('95 % intervals of averages over configurations', () => {
  it.each([
    [10, 0],
    [30, 0],
    [30, 0.4],
  ])(
    'hold the true averages with %i tasks of which one configuration lacks a share of %f',
    (tasks, lacking) => {
      const random = seededRandom(5);
      const hits = { baseline: 0, gain: 0, normalized: 0 };
      for (let run = 0; run < EXPERIMENTS; run++) {
        const found = simulated(tasks, lacking, random);
        hits.baseline += holds(found.baselineInterval, TRUTH.baseline);
        hits.gain += holds(found.gainInterval, TRUTH.gain);
        hits.normalized += holds(found.meanNormalizedGainInterval, TRUTH.normalized);
      }
      for (const [name, count] of Object.entries(hits)) {
        expect(count / EXPERIMENTS, name).toBeGreaterThan(0.935 - CHANCE);
        expect(count / EXPERIMENTS, name).toBeLessThan(0.975 + CHANCE);
      }
    },
  );
});

function holds(interval: Interval | null, value: number): 0 | 1 {
  return interval !== null && interval.low <= value && value <= interval.high ? 1 : 0;
}
