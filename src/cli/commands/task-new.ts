import { lstat, mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { checkTaskName } from '../../load/task-folder.ts';
import { COMMAND } from '../../model/command.ts';
import { InputError } from '../../model/problem.ts';
import type { Questions } from '../ask-line.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { outputFolder } from '../output-place.ts';
import { completeFacts, type TaskFacts } from '../task-new/task-facts.ts';
import { writeSkeleton } from '../task-new/write-skeleton.ts';

/** `skillpair task new`: a task of one's own to start from, which passes its checks as it is. */
export async function taskNewCommand(
  environment: Environment,
  [id = '']: readonly string[],
  flags: Partial<TaskFacts> & { readonly dir: string },
): Promise<number> {
  const { cwd, stdout } = environment;
  const dir = resolve(cwd, flags.dir, id);
  const [badName] = checkTaskName(id, dir);
  if (badName !== undefined) throw new InputError([{ ...badName, repair: 'name it like due-dates' }]);
  await outputFolder(cwd, '--dir', flags.dir);
  await refuseExisting(dir);
  const { dir: _folder, ...given } = flags;
  const questions = questionsOf(environment);
  let facts: TaskFacts;
  try {
    facts = await completeFacts(id, given, questions);
  } finally {
    questions?.close();
  }
  await mkdir(resolve(cwd, flags.dir), { recursive: true });
  const files = await writeSkeleton(dir, facts);
  const shown = relative(cwd, dir) || '.';
  say(stdout, [`${shown} is a task that passes its checks:`, ...files.map((file) => `  ${file}`)].join('\n'));
  say(stdout, `Next: make it your own, then ${COMMAND} task check ${shown} and ${COMMAND} try ${shown}`);
  return EXIT.ok;
}

async function refuseExisting(dir: string): Promise<void> {
  const found = await lstat(dir).catch(() => undefined);
  if (found === undefined) return;
  const message = 'there is something of this name already';
  const repair = 'take another id, or another --dir';
  throw new InputError([{ severity: 'error', message, where: { file: dir }, repair }]);
}

function questionsOf({ stdin, stderr }: Environment): Questions | undefined {
  if (stdin.terminal === undefined) return undefined;
  return createInterface({ input: stdin.stream, output: stderr.stream, terminal: true });
}
