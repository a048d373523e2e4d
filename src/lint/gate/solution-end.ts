import type { AgentResult, AttemptRecord } from '../../model/attempt.ts';
import type { Ending } from '../../model/outcome.ts';
import type { Task } from '../../model/task.ts';
import { failureMessage, failuresOf } from './failed-tests.ts';
import type { LastWords } from './gate-rule.ts';

const LONGEST_LINE = 200;
/** As the record names an output that was not there. */
const ABSENT = ' (absent)';

const ENDINGS: Readonly<Record<Exclude<Ending, 'completed' | 'crashed'>, string>> = {
  'timed-out': 'was ended by the time limit',
  'out-of-memory': 'ran out of memory',
  'out-of-space': 'wrote more than it may',
  'not-started': 'never started',
  killed: 'was ended from outside',
};

/** How a solution's script ended, where it did not end well: `ended with exit code 1`. Undefined where it did, or never ran. */
export function badEnd({ agent }: Pick<AttemptRecord, 'agent'>): string | undefined {
  if (agent === undefined || agent.ending === 'completed') return undefined;
  return agent.ending === 'crashed' ? crash(agent) : ENDINGS[agent.ending];
}

function crash({ exitCode, signal }: AgentResult): string {
  if (exitCode !== null) return `ended with exit code ${exitCode}`;
  return signal === undefined ? 'did not end by itself' : `was ended by ${signal}`;
}

/** Declared outputs that a trial did not leave, as container paths. */
export function absentOutputs({ notices }: Pick<AttemptRecord, 'notices'>): readonly string[] {
  return notices
    .filter(({ code }) => code === 'outputs-left-out')
    .flatMap(({ paths = [] }) => paths)
    .filter((path) => path.endsWith(ABSENT))
    .map((path) => path.slice(0, -ABSENT.length));
}

/** True where a task declares outputs and a trial left none of them. */
export function leftNothing(record: Pick<AttemptRecord, 'notices'>, { verifier }: Task): boolean {
  const absent = new Set(absentOutputs(record));
  return (
    verifier.isolation === 'outputs' &&
    verifier.outputs.length > 0 &&
    verifier.outputs.every((path) => absent.has(path))
  );
}

/** How a script ended and what it said last, for a message: `; it ended with exit code 1: "No module named x" (…/stderr.log)`. */
export function endText(record: AttemptRecord, words: LastWords | undefined): string {
  const end = badEnd(record);
  const said = words === undefined || words.line === '' ? undefined : words;
  if (end === undefined && said === undefined) return '';
  const quoted =
    said === undefined ? ', with nothing on standard error' : `: "${cut(said.line)}" (${said.file})`;
  return end === undefined ? `; its last words are${quoted}` : `; it ${end}${quoted}`;
}

/** What the first failed test of a trial said; empty where it said nothing. */
export function firstFailureText(record: AttemptRecord): string {
  const [first] = failuresOf(record);
  const message = first === undefined ? '' : failureMessage(first);
  return message === '' ? '' : `; the first says: ${message}`;
}

function cut(line: string): string {
  return line.length <= LONGEST_LINE ? line : `…${line.slice(-LONGEST_LINE)}`;
}
