import type { RunRecord } from '../../src/model/run-record.ts';
import { runOf, type SyntheticResult, unscored, verdict } from './synthetic-run.ts';

/** Everything that breaks careless writers: ANSI, NUL, vertical tab, lone surrogate, `]]>`, markup, quotes, newline, emoji. */
export const HOSTILE =
  'a \u001b[31mred\u001b[0m b\u0000 c\u000b d\ud800 e ]]> <b a="1">&amp;\'x\'</b>\nsecond line \u{1f600} \ufffe';

/** Outcomes per task and arm: P passed, F failed, I unscored, H failed with hostile text, N not run. */
const TABLE: Readonly<Record<string, readonly [noSkills: string, withSkills: string]>> = {
  T1: ['PFF', 'PPF'],
  T2: ['FHF', 'PFF'],
  T3: ['PPP', 'PPF'],
  T4: ['FIP', 'PPP'],
  t4: ['FFF', 'FPN'],
};

/**
 * The run behind tests/golden: two configurations, five tasks (two ids differ in case only), three trials each, with
 * every kind of outcome, repeated attempts and text that attacks the writers.
 */
export function goldenRun(): RunRecord {
  const plan = {
    tasks: Object.keys(TABLE),
    configurations: ['literal', 'harness@model-4.5'],
    trials: 3,
    gates: { minCoverage: 0.9, minGain: 0.5 },
    endedBy: 'interrupted' as const,
  };
  return runOf(plan, ({ task, condition, configuration, index }) => {
    const letter = TABLE[task]?.[condition === 'no-skills' ? 0 : 1][index - 1] ?? 'N';
    const durationMs = [0, 0.4, 100_000_000][index - 1] ?? 0;
    return { durationMs, ...resultOf(letter, configuration === 'harness@model-4.5') };
  });
}

/** The second configuration passes wherever the first one fails in an ordinary way. */
function resultOf(letter: string, isStronger: boolean): SyntheticResult {
  const failing = [{ name: 'test_outputs.py::test_totals', message: '3 != 4' }];
  switch (letter) {
    case 'N':
      return { outcome: unscored('not-run', 'the run was interrupted') };
    case 'I':
      return { outcome: unscored('runtime-lost', HOSTILE), attempts: ['start-failed', 'runtime-lost'] };
    case 'H':
      return {
        outcome: verdict(false, [{ name: `test_outputs.py::test_${HOSTILE}`, message: HOSTILE }]),
        ending: 'timed-out',
      };
    default:
      return { outcome: letter === 'P' || isStronger ? verdict(true) : verdict(false, failing) };
  }
}
