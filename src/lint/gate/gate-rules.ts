import { join } from 'node:path';
import { wilsonInterval } from '../../base/wilson-interval.ts';
import type { AttemptRecord } from '../../model/attempt.ts';
import type { Finding } from '../../model/finding.ts';
import type { Task } from '../../model/task.ts';
import type { Verdict } from '../../model/verdict.ts';
import { ALMOST_RIGHT_RULES } from './almost-right-rules.ts';
import { failedTests } from './failed-tests.ts';
import { allOf, firstWhere, type GateEvidence, type GateRemark, type GateRule, passed } from './gate-rule.ts';
import { absentOutputs, badEnd, endText, firstFailureText } from './solution-end.ts';
import { trialUnscored } from './trial-unscored.ts';

/** Share of its time limit above which a reference solution leaves an agent too little. */
const NEAR_LIMIT = 0.5;

const oracleFails: GateRule = {
  name: 'oracle-fails',
  check: (evidence) =>
    (evidence.oracle.some((record) => passed(record) === true) ? [] : firstWhere(evidence.oracle, false)).map(
      (record) => oracleFailure(record, evidence),
    ),
};

/** Where the solution ended well and an output is absent, one of the two names it wrongly: the task file or the solution. */
function oracleFailure(record: AttemptRecord, { task, lastWords }: GateEvidence): GateRemark {
  const absent = absentOutputs(record);
  const missing = absent.length === 0 ? '' : `; it left no ${absent.join(', ')}`;
  const message = `the verifier fails the reference solution${listed(record)}${endText(record, lastWords.get(record))}${missing}${firstFailureText(record)}`;
  const where = solveOf(task);
  if (badEnd(record) !== undefined)
    return { severity: 'error', message, where, repair: 'mend the script where it stopped' };
  const repair =
    absent.length === 0
      ? 'correct the solution or the tests: nobody can pass what the reference does not'
      : `let the solution write ${absent.join(', ')}, or correct verifier.outputs in the task file`;
  return { severity: 'error', message, where, repair };
}

const oracleStops: GateRule = {
  name: 'oracle-stops',
  check: ({ task, oracle, lastWords }) =>
    firstWhere(oracle, true)
      .filter((record) => badEnd(record) !== undefined)
      .map((record) => ({
        severity: 'warning',
        message: `the verifier passes the reference solution, which did not run to its end${endText(record, lastWords.get(record))}`,
        where: solveOf(task),
        repair: 'let the script end with exit code 0, or assert what it did not come to',
      })),
};

const oracleNeedsSkills: GateRule = {
  name: 'oracle-needs-skills',
  check: ({ task, oracle, oracleWithout }) =>
    oracle.some((record) => passed(record) === true)
      ? firstWhere(oracleWithout, false).map((record) => ({
          severity: 'note',
          message: `the reference solution needs the task's Skills: without them the verifier fails it${listed(record)}`,
          where: solveOf(task),
        }))
      : [],
};

const oracleNearLimit: GateRule = {
  name: 'oracle-near-limit',
  check: ({ task, oracle }) => {
    const slowest = Math.max(0, ...oracle.map(({ agent }) => agent?.durationMs ?? 0));
    const share = slowest / task.agent.timeoutMs;
    if (share <= NEAR_LIMIT) return [];
    const took = `${(slowest / 1000).toFixed(1)} s of ${task.agent.timeoutMs / 1000} s`;
    return [
      {
        severity: 'warning',
        message: `the reference solution alone takes ${took}`,
        where: solveOf(task),
        repair: "raise the agent's time limit: an agent has to find the way first",
      },
    ];
  },
};

const nopPasses: GateRule = {
  name: 'nop-passes',
  check: ({ task, nop }) =>
    firstWhere(nop, true).map(() => ({
      severity: 'error',
      message: 'the verifier passes an agent that does nothing',
      where: { file: task.verifier.testsDir },
      repair: 'assert what the work must bring about, not only what holds beforehand',
    })),
};

const verifierDiffers: GateRule = {
  name: 'verifier-differs',
  check: (evidence) =>
    allOf(evidence).flatMap(({ what, records }) =>
      records
        .flatMap((record) => differences(record))
        .slice(0, 1)
        .map(
          (difference): GateRemark => ({
            severity: 'error',
            message: `the verifier says two things of the same work, of ${what}: ${difference}`,
            where: { file: evidence.task.verifier.testsDir },
            repair: 'take time, chance, order and the network out of the tests',
          }),
        ),
    ),
};

const flaky: GateRule = {
  name: 'flaky',
  check: (evidence) =>
    allOf(evidence).flatMap(({ what, records }) => {
      const scored = records.filter((record) => passed(record) !== undefined);
      const passes = scored.filter((record) => passed(record) === true).length;
      if (passes === 0 || passes === scored.length) return [];
      const [low, high] = wilsonInterval(passes, scored.length);
      const rate = `${passes} of ${scored.length} passed (95 % interval ${percent(low)} to ${percent(high)})`;
      const [failed] = firstWhere(scored, false);
      const tests = failed === undefined ? '' : listed(failed, 5);
      return [
        {
          severity: 'error' as const,
          message: `${what} does not always end alike: ${rate}; failed${tests}`,
          where: { file: evidence.task.dir },
          repair: 'find what differs from trial to trial: time, chance, order, the network',
        },
      ];
    }),
};

/** Rules of the levels `gate` and `repeat`, in the order of docs/task-rules.md. */
export const GATE_RULES: readonly GateRule[] = [
  trialUnscored,
  oracleFails,
  oracleStops,
  oracleNeedsSkills,
  oracleNearLimit,
  nopPasses,
  ...ALMOST_RIGHT_RULES,
  verifierDiffers,
  flaky,
];

/** What the rules say of one task. */
export function judgeGate(evidence: GateEvidence): Finding[] {
  return GATE_RULES.flatMap(({ name, check }) =>
    check(evidence).map((remark): Finding => ({ ...remark, rule: name, subject: evidence.task.id })),
  );
}

function listed(record: AttemptRecord, most?: number): string {
  const tests = failedTests(record, most);
  return tests === '' ? '' : `: ${tests}`;
}

function solveOf(task: Task) {
  return { file: join(task.dir, 'solution', 'solve.sh') };
}

/** In what the repeated verdicts of a trial differ from the first: its reward, or a test by name and status. */
function differences({ outcome, repeatedVerdicts = [] }: AttemptRecord): string[] {
  if (outcome.kind !== 'scored') return [];
  return repeatedVerdicts.flatMap((again) => differenceOf(outcome.verdict, again) ?? []);
}

function differenceOf(first: Verdict, again: Verdict): string | undefined {
  if (first.reward !== again.reward) return `reward ${first.reward}, then ${again.reward}`;
  const [before, after] = [statuses(first), statuses(again)];
  const test = before.find((line) => !after.includes(line)) ?? after.find((line) => !before.includes(line));
  if (test === undefined && before.length === after.length) return undefined;
  return `${before.length} tests, then ${after.length}${test === undefined ? '' : `; ${test} in one of the two only`}`;
}

function statuses({ tests }: Verdict): string[] {
  return tests.map(({ name, status }) => `${name} ${status}`);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
