import type { AttemptRecord } from '../../model/attempt.ts';
import type { Finding } from '../../model/finding.ts';
import type { Task } from '../../model/task.ts';

/** What was seen of a task when its solutions were run: the last attempts of each kind of trial, in order of their index. */
export interface GateEvidence {
  readonly task: Task;
  /** The reference solution with the task's Skills, or without where it has none; empty for a task that brings no solution. */
  readonly oracle: readonly AttemptRecord[];
  /** The reference solution in the arm without Skills; empty for a task that has none. */
  readonly oracleWithout: readonly AttemptRecord[];
  /** Nothing done at all. */
  readonly nop: readonly AttemptRecord[];
  /** The solution that is wrong in one point; empty for a task that brings none. */
  readonly almostRight: readonly AttemptRecord[];
  /** What solutions said last, by the attempts above; some may be absent. */
  readonly lastWords: ReadonlyMap<AttemptRecord, LastWords>;
}

/** The end of what an attempt's script wrote to standard error. */
export interface LastWords {
  /** The last line that is not blank; empty where nothing was written. */
  readonly line: string;
  /** The evidence file that has all of it. */
  readonly file: string;
}

/** What a rule has to say; its name and the task's are added by whoever runs it. */
export type GateRemark = Omit<Finding, 'rule' | 'subject'>;

/** One rule over what trials showed. Pure. */
export interface GateRule {
  /** Kebab case, and the anchor of its paragraph in docs/task-rules.md. */
  readonly name: string;
  readonly check: (evidence: GateEvidence) => readonly GateRemark[];
}

/** The trials of a task by whose work they tried, as messages name it. */
export function allOf({ oracle, oracleWithout, nop, almostRight }: GateEvidence) {
  return [
    { what: 'the reference solution', records: oracle },
    { what: 'the reference solution without Skills', records: oracleWithout },
    { what: 'an agent that does nothing', records: nop },
    { what: 'the solution that is wrong in one point', records: almostRight },
  ];
}

/** Whether a trial was scored and passed; undefined where it has no verdict. */
export function passed({ outcome }: AttemptRecord): boolean | undefined {
  return outcome.kind === 'scored' ? outcome.verdict.passed : undefined;
}

/** The first of some trials with that verdict, alone; empty where there is none. */
export function firstWhere(records: readonly AttemptRecord[], verdict: boolean): readonly AttemptRecord[] {
  return records.filter((record) => passed(record) === verdict).slice(0, 1);
}
