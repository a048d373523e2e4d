import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.ts';
import { digestBytes } from '../../../src/base/digest.ts';
import { seededRandom, shuffled } from '../../../src/base/random.ts';
import { measure } from '../../../src/measure/measure.ts';
import { Measurement } from '../../../src/model/measurement.ts';
import type { RunRecord } from '../../../src/model/run-record.ts';
import {
  type Planned,
  reward,
  runOf,
  type SyntheticPlan,
  syntheticRun,
  unscored,
  verdict,
} from '../../support/synthetic-run.ts';

const DIGEST = digestBytes('no bundle');

/** The table of scenario S9: P passed, F failed, I unscored for a lost runtime. */
const S9: Readonly<Record<string, Readonly<Record<Planned['condition'], string>>>> = {
  T1: { 'no-skills': 'PFF', 'with-skills': 'PPF' },
  T2: { 'no-skills': 'FFF', 'with-skills': 'PFF' },
  T3: { 'no-skills': 'PPP', 'with-skills': 'PPF' },
  T4: { 'no-skills': 'FIP', 'with-skills': 'PPP' },
};

type Table = typeof S9;

function runOfTable(table: Table, plan: Partial<SyntheticPlan> = {}): RunRecord {
  const trials = Object.values(table)[0]!['no-skills'].length;
  return runOf({ tasks: Object.keys(table), trials, ...plan }, (trial) => {
    const letter = table[trial.task]![trial.condition][trial.index - 1];
    return { outcome: letter === 'I' ? unscored('runtime-lost') : verdict(letter === 'P') };
  });
}

function only(measurement: Measurement) {
  expect(measurement.configurations).toHaveLength(1);
  return measurement.configurations[0]!;
}

describe('measure on the table of scenario S9', () => {
  const measurement = measure(runOfTable(S9));
  const figures = only(measurement);
  const [baseline, treatment] = figures.arms;

  it('gives a value that its own schema accepts', () => {
    expect(() => Measurement.parse(measurement)).not.toThrow();
  });

  it('takes the task-macro rates over scored trials: 11/24 without, 2/3 with', () => {
    expect(baseline!.passRate.value).toBeCloseTo(0.458333333333, 12);
    expect(treatment!.passRate.value).toBeCloseTo(0.666666666667, 12);
    expect(figures.gain.value).toBeCloseTo(5 / 24, 12);
  });

  it('gives 5/13 as the normalized gain of the means', () => {
    expect(figures.normalizedGain.value).toBeCloseTo(0.384615384615, 12);
  });

  it('bounds it by counting the unscored as failed (5/12, 3/7) and as passed (1/2, 1/3)', () => {
    expect(baseline!.passRate.unscoredAsFailed).toBeCloseTo(5 / 12, 12);
    expect(figures.normalizedGain.unscoredAsFailed).toBeCloseTo(0.428571428571, 12);
    expect(baseline!.passRate.unscoredAsPassed).toBeCloseTo(1 / 2, 12);
    expect(figures.normalizedGain.unscoredAsPassed).toBeCloseTo(1 / 3, 12);
    expect(figures.gain.unscoredAsFailed).toBeCloseTo(3 / 12, 12);
    expect(figures.gain.unscoredAsPassed).toBeCloseTo(2 / 12, 12);
  });

  it('counts planned 24 = scored 23 + unscored 1, by reason, with coverage per arm', () => {
    expect(measurement.counts).toEqual({
      planned: 24,
      scored: 23,
      unscored: 1,
      byReason: { 'runtime-lost': 1 },
    });
    expect(baseline!.coverage).toBeCloseTo(11 / 12, 12);
    expect(treatment!.coverage).toBe(1);
  });

  it('never gives the pooled rates 5/11 and 8/12 the name of the macro rate', () => {
    expect(baseline!.passRate.value).not.toBeCloseTo(5 / 11, 3);
    expect(baseline!.passed).toBe(5);
    expect(treatment!.passed).toBe(8);
  });

  it('gives the normalized gain per task as 1/2, 1/3, undefined and 1', () => {
    const gains = figures.tasks.map((task) => task.normalizedGain);
    expect(gains[0]).toBeCloseTo(1 / 2, 12);
    expect(gains[1]).toBeCloseTo(1 / 3, 12);
    expect(gains[2]).toBeNull();
    expect(gains[3]).toBeCloseTo(1, 12);
  });

  it('names the mean of the per-task gains as another figure and counts what is undefined in it', () => {
    expect(figures.meanTaskNormalizedGain.value).toBeCloseTo((1 / 2 + 1 / 3 + 1) / 3, 12);
    expect(figures.meanTaskNormalizedGain).toMatchObject({ defined: 3, undefinedTasks: 1 });
  });

  it('lists T3 as a regression', () => {
    expect(figures.regressions).toEqual(['T3']);
  });

  it('names the incomplete pair with what it lacks, and refuses the publishable mark', () => {
    expect(measurement.incompletePairs).toEqual([
      { pair: 'T4/2/literal', missing: [{ trial: 'T4/no-skills/2/literal', reason: 'runtime-lost' }] },
    ]);
    expect(figures.pairs).toEqual({ planned: 12, complete: 11 });
    expect(measurement.publishable.ok).toBe(false);
    expect(measurement.publishable.reasons).toContain('1 of 24 planned trials has no verdict');
    expect(measurement.publishable.reasons).toContain('literal: coverage differs between the arms');
  });

  it('counts flips over complete pairs: up in T1, T2 and T4, down in T3', () => {
    expect(figures.flips).toEqual({ up: 3, down: 1 });
  });
});

describe('measure at the edges', () => {
  it('leaves the normalized gain undefined at a no-skills rate of 1', () => {
    const figures = only(measure(runOfTable({ A: { 'no-skills': 'PP', 'with-skills': 'PF' } })));
    expect(figures.gain.value).toBe(-0.5);
    expect(figures.normalizedGain.value).toBeNull();
    expect(figures.meanTaskNormalizedGain).toEqual({ value: null, defined: 0, undefinedTasks: 1 });
  });

  it('does not clamp a negative gain: from 3/4 to 1/4 the normalized gain is -2', () => {
    const figures = only(measure(runOfTable({ A: { 'no-skills': 'PPPF', 'with-skills': 'PFFF' } })));
    expect(figures.gain.value).toBe(-0.5);
    expect(figures.normalizedGain.value).toBe(-2);
  });

  it('takes a task without a scored trial in one arm out of the paired set of both arms, by name', () => {
    const table = {
      A: { 'no-skills': 'PF', 'with-skills': 'PP' },
      B: { 'no-skills': 'II', 'with-skills': 'FF' },
    };
    const figures = only(measure(runOfTable(table)));
    expect(figures.unpairedTasks).toEqual(['B']);
    expect(figures.pairedTasks).toBe(1);
    expect(figures.arms.map((arm) => arm.passRate.value)).toEqual([0.5, 1]);
    expect(figures.arms[1]!.passRate).toEqual({ value: 1, unscoredAsFailed: 0.5, unscoredAsPassed: 0.5 });
  });

  it('gives no interval with one trial per task and arm, nor under two paired tasks', () => {
    const once = { A: { 'no-skills': 'F', 'with-skills': 'P' }, B: { 'no-skills': 'F', 'with-skills': 'P' } };
    const alone = { A: { 'no-skills': 'FP', 'with-skills': 'PP' } };
    expect(only(measure(runOfTable(once))).gainInterval).toBeNull();
    expect(only(measure(runOfTable(alone))).gainInterval).toBeNull();
  });

  it('gives null and not 0 for every figure when nothing was scored', () => {
    const measurement = measure(runOfTable({ A: { 'no-skills': 'I', 'with-skills': 'I' } }));
    const figures = only(measurement);
    expect(figures.arms.map((arm) => arm.passRate.value)).toEqual([null, null]);
    expect(figures.gain.value).toBeNull();
    expect(figures.gainRange).toEqual({ low: -1, high: 1 });
    expect(measurement.counts).toMatchObject({ planned: 2, scored: 0, unscored: 2 });
  });

  it('measures a run without trials', () => {
    const measurement = measure(runOf({ tasks: [] }, () => ({ outcome: verdict(true) })));
    expect(measurement.counts).toEqual({ planned: 0, scored: 0, unscored: 0, byReason: {} });
    expect(measurement.publishable).toEqual({ ok: false, reasons: ['no trial was planned'] });
  });

  it('measures a single planned arm: a rate, no gain, no pairs', () => {
    const run = runOfTable(S9, { conditions: ['with-skills'] });
    const figures = only(measure(run));
    expect(figures.arms).toHaveLength(1);
    expect(figures.arms[0]!.passRate.value).toBeCloseTo(2 / 3, 12);
    expect(figures.arms[0]!.tasks).toBe(4);
    expect(figures.gain.value).toBeNull();
    expect(figures.unpairedTasks).toEqual([]);
    expect(figures.pairs.planned).toBe(0);
  });

  it('says of a part of an experiment that it is one, and reads no gain gate off it', () => {
    const whole = runOf({ tasks: ['T1'], gates: { minCoverage: 1, minGain: 0.3 } }, () => ({
      outcome: reward(1),
    }));
    const part = measure({ ...whole, lock: { ...whole.lock, part: ['shard 1/2'] } });
    expect(part.publishable).toEqual({
      ok: false,
      reasons: ['only a part of the experiment was run: shard 1/2'],
    });
    expect(part.gates.map(({ gate }) => gate)).toEqual(['coverage']);
    expect(part.warnings).toContain(
      'only a part of the experiment was run: shard 1/2; gates on gain and pass rate are not evaluated on a part',
    );
    expect(measure(whole).gates.map(({ gate }) => gate)).toEqual(['coverage', 'gain']);
  });

  it('takes partial rewards as they are and counts only a reward of 1 as passed', () => {
    const run = runOf({ tasks: ['A'], trials: 2 }, ({ condition, index }) => ({
      outcome: reward(condition === 'no-skills' ? 0.25 * index : 1),
    }));
    const figures = only(measure(run));
    expect(figures.arms[0]!.passRate.value).toBe(0.375);
    expect(figures.arms[0]!.passed).toBe(0);
    expect(figures.arms[1]!.passed).toBe(2);
  });

  it('changes no digit when the records come in another order', () => {
    const run = syntheticRun(2000, 3);
    const expected = canonicalJson(measure(run));
    for (const seed of [1, 2, 3]) {
      const trials = shuffled(run.trials, seededRandom(seed));
      expect(canonicalJson(measure({ ...run, trials }))).toBe(expected);
    }
  });

  it('keeps planned = scored + unscored in every count', () => {
    const measurement = measure(syntheticRun(1000, 5));
    const all = [
      measurement.counts,
      ...measurement.configurations.flatMap(({ arms, tasks }) => [
        ...arms.map((arm) => arm.counts),
        ...tasks.flatMap(({ counts }) => [counts.baseline, counts.treatment]),
      ]),
    ];
    for (const counts of all) {
      expect(counts.planned).toBe(counts.scored + counts.unscored);
      expect(Object.values(counts.byReason).reduce((sum, count) => sum + count, 0)).toBe(counts.unscored);
    }
  });
});

describe('measure when one arm fails more often (scenario S14)', () => {
  const tasks = Array.from({ length: 10 }, (_, index) => `t${index}`);
  /** Without Skills: 4 pass, 3 fail, 3 are `last`. With: 8 pass, and the two that fail are t5 and t9. */
  const run = (last: 'fault' | 'timeout') =>
    runOf({ tasks }, ({ task, condition }) => {
      const position = Number(task.slice(1));
      if (condition === 'with-skills') return { outcome: verdict(position !== 5 && position !== 9) };
      if (position < 7) return { outcome: verdict(position < 4) };
      return last === 'fault'
        ? { outcome: unscored('start-failed') }
        : { outcome: verdict(false), ending: 'timed-out' };
    });

  it('takes seven complete pairs, names three tasks inconclusive and refuses the publishable mark', () => {
    const measurement = measure(run('fault'));
    const figures = only(measurement);
    expect(figures.pairs).toEqual({ planned: 10, complete: 7 });
    expect(figures.unpairedTasks).toEqual(['t7', 't8', 't9']);
    expect(figures.arms.map(({ counts }) => counts.unscored)).toEqual([3, 0]);
    expect(figures.gain.value).toBeCloseTo(6 / 7 - 4 / 7, 12);
    expect(figures.gainOfCompletePairs).toBeCloseTo(2 / 7, 12);
    expect(figures.gain.unscoredAsFailed).toBeCloseTo(0.8 - 0.4, 12);
    expect(figures.gain.unscoredAsPassed).toBeCloseTo(0.8 - 0.7, 12);
    expect(figures.gainRange!.low).toBeCloseTo(0.1, 12);
    expect(figures.gainRange!.high).toBeCloseTo(0.4, 12);
    expect(measurement.publishable.ok).toBe(false);
  });

  it('counts agent timeouts with a verified workspace as scored: ten pairs, publishable', () => {
    const measurement = measure(run('timeout'));
    expect(only(measurement).pairs).toEqual({ planned: 10, complete: 10 });
    expect(only(measurement).gain.value).toBeCloseTo(0.4, 12);
    expect(measurement.publishable).toEqual({ ok: true, reasons: [] });
    expect(measurement.warnings).toEqual([]);
  });

  it('warns that order is confounded with arm when one arm ran in the first hour and the other in the second', () => {
    const measurement = measure(
      runOf({ tasks }, ({ task, condition }) => ({
        outcome: verdict(true),
        startedAt: `2026-11-29T${condition === 'no-skills' ? 21 : 22}:0${task.slice(1)}:00Z`,
      })),
    );
    expect(measurement.warnings).toEqual([
      'literal: order is confounded with arm: nearly all no-skills trials ran before the others',
    ]);
  });

  it('refuses the mark and warns when a no-skills trial used a Skill', () => {
    const measurement = measure(
      runOf({ tasks: ['A'] }, () => ({
        outcome: verdict(true),
        skillUse: [{ skill: 'alpha', use: 'used' }],
      })),
    );
    expect(measurement.warnings).toEqual([
      'A/no-skills/1/literal: a Skill was used in the no-skills arm, so its pair proves nothing',
    ]);
    expect(measurement.publishable.ok).toBe(false);
  });

  it('names a no-skills trial that gained a Skill while it ran, keeps its verdict and refuses the mark', () => {
    const run = runOf({ tasks: ['A', 'B'] }, () => ({ outcome: verdict(true) }));
    const seen = (skillFiles: string[]) => ({ found: DIGEST, expected: DIGEST, skillFiles, violations: [] });
    const trials = run.trials.map((record) => {
      const paths = record.trial.task === 'A' ? ['/home/agent/.codex/skills/new/SKILL.md'] : [];
      const bundle = record.trial.condition === 'no-skills' ? [] : ['/home/agent/.codex/skills/own/SKILL.md'];
      const attestation = { before: seen(bundle), after: seen([...bundle, ...paths]) };
      return { ...record, counted: { ...record.counted!, attestation } };
    });
    const measurement = measure({ ...run, trials });
    expect(measurement.warnings).toEqual([
      'A/no-skills/1/literal: a Skill was found after the agent where there was none before',
    ]);
    expect(measurement.counts).toMatchObject({ scored: 4, unscored: 0 });
    expect(measurement.publishable).toEqual({
      ok: false,
      reasons: ['a Skill was found after the agent in the no-skills arm of A/no-skills/1/literal'],
    });
  });
});

describe('gates', () => {
  const gates = { minCoverage: 0.95, minGain: 0.25, minPassRate: 0.6 };

  it('hold or fail by figure, threshold and configuration', () => {
    const results = measure(runOfTable(S9, { gates })).gates;
    expect(results.map(({ gate, state, configuration }) => [gate, state, configuration])).toEqual([
      ['coverage', 'held', 'literal'],
      ['gain', 'failed', 'literal'],
      ['pass-rate', 'held', 'literal'],
    ]);
    expect(results[1]).toMatchObject({ threshold: 0.25, message: 'gain is below the threshold' });
    expect(results[1]!.value).toBeCloseTo(5 / 24, 12);
  });

  it('are unevaluable, which is not held, when their figure is undefined', () => {
    const run = runOfTable(S9, { gates: { minGain: 0 }, conditions: ['with-skills'] });
    expect(measure(run).gates).toEqual([
      {
        gate: 'gain',
        configuration: 'literal',
        state: 'unevaluable',
        value: null,
        threshold: 0,
        message: 'gain is undefined',
      },
    ]);
  });

  it('hold at the threshold itself in spite of rounding: 0.7 - 0.4 holds 0.3', () => {
    const run = runOfTable(
      { A: { 'no-skills': 'PPPPFFFFFF', 'with-skills': 'PPPPPPPFFF' } },
      { gates: { minGain: 0.3 } },
    );
    expect(measure(run).gates[0]!.state).toBe('held');
  });
});
