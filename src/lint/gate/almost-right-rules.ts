import { join } from 'node:path';
import type { AttemptRecord } from '../../model/attempt.ts';
import type { Task } from '../../model/task.ts';
import { failedTests, failureMessage, failuresOf } from './failed-tests.ts';
import { firstWhere, type GateEvidence, type GateRemark, type GateRule } from './gate-rule.ts';
import { badEnd, endText, leftNothing } from './solution-end.ts';

const REPAIR = 'take the reference solution and make it wrong in one point, so that it runs to its end';
/** With one test alone the same tests fail whatever is wrong. */
const FEW_TESTS = 2;

const almostRightPasses: GateRule = {
  name: 'almost-right-passes',
  check: ({ task, almostRight }) =>
    firstWhere(almostRight, true).map(() => ({
      severity: 'error',
      message: 'the verifier passes the solution that is wrong in one point',
      where: place(task),
      repair: 'assert that point too',
    })),
};

const almostRightStops: GateRule = {
  name: 'almost-right-stops',
  check: (evidence) => failing(evidence).flatMap((record) => stop(record, evidence)),
};

/** A script that did not do its work fails for that, and shows nothing of the point. */
function stop(record: AttemptRecord, { task, oracle, lastWords }: GateEvidence): GateRemark[] {
  const words = endText(record, lastWords.get(record));
  const common = { severity: 'error', where: place(task), repair: REPAIR } as const;
  const proves = 'fails for that, not for the point that it is wrong in';
  if (badEnd(record) !== undefined)
    return [
      { ...common, message: `the almost-right solution does not run to its end and ${proves}${words}` },
    ];
  // What the reference does not leave either is no fault of this one: it is told there.
  if (!leftNothing(record, task) || oracle.some((one) => leftNothing(one, task))) return [];
  const outputs = task.verifier.outputs.join(', ');
  return [{ ...common, message: `the almost-right solution leaves no ${outputs} and ${proves}${words}` }];
}

const almostRightLikeNop: GateRule = {
  name: 'almost-right-like-nop',
  check: (evidence) => {
    const [nop] = firstWhere(evidence.nop, false);
    const [record] = failing(evidence);
    // Where the reference fails too, nothing is known of the point.
    if (nop === undefined || record === undefined || firstWhere(evidence.oracle, true).length === 0)
      return [];
    if (stop(record, evidence).length > 0) return [];
    const likeness = likenessOf(record, nop);
    if (likeness === undefined) return [];
    const failed = failuresOf(record).length;
    const tests = `${failed} ${failed === 1 ? 'test' : 'tests'}`;
    const message = `the almost-right solution fails the same ${tests} as an agent that does nothing${
      likeness === 'exact' ? ', each in the same words' : ''
    }: ${failedTests(record)}`;
    return likeness === 'exact'
      ? [{ severity: 'warning', message, where: place(evidence.task), repair: REPAIR }]
      : [{ severity: 'note', message, where: place(evidence.task), repair: NOTE_REPAIR }];
  },
};

const NOTE_REPAIR = 'let a test pass that does not ask for the point, or make the solution wrong in less';

/** `exact`: the same tests failed in the same words. `tests`: the same tests, which are several. Undefined where they differ. */
function likenessOf(record: AttemptRecord, nop: AttemptRecord): 'exact' | 'tests' | undefined {
  const [one, other] = [failuresOf(record), failuresOf(nop)];
  const names = new Set(other.map(({ name }) => name));
  if (one.length === 0 || one.length !== other.length || !one.every(({ name }) => names.has(name)))
    return undefined;
  const said = new Map(other.map((test) => [test.name, failureMessage(test)]));
  const isExact = one.every((test) => {
    const message = failureMessage(test);
    return message !== '' && message === said.get(test.name);
  });
  if (isExact) return 'exact';
  return one.length >= FEW_TESTS ? 'tests' : undefined;
}

function failing({ almostRight }: GateEvidence): readonly AttemptRecord[] {
  return firstWhere(almostRight, false);
}

function place(task: Task) {
  return { file: join(task.dir, 'almost-right', 'solve.sh') };
}

/** What is asked of the solution that is wrong in one point, in the order of docs/task-rules.md. */
export const ALMOST_RIGHT_RULES: readonly GateRule[] = [
  almostRightPasses,
  almostRightStops,
  almostRightLikeNop,
];
