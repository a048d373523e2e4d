import { basename, dirname, join, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { estimateTokens } from '../../lint/skill/token-estimate.ts';
import { findTasks, type SelectedTask } from '../../load/find-tasks.ts';
import { isFolder } from '../../load/read-text.ts';
import { bundlesAt } from '../../load/skill-places.ts';
import { ownBundleDigests, skillNamesOfTask } from '../../load/skill-users.ts';
import { loadSkill } from '../../load/skills.ts';
import { InputError } from '../../model/problem.ts';
import { type ListedSkillRow, renderSkillList } from '../../report/skill-table.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';

/**
 * `skillpair skill list`: the Skills of a library, and which tasks use them: those that name one, and those that bring the same
 * bytes of their own. What is wrong with one is for `skill check`.
 */
export async function skillListCommand(
  environment: Environment,
  [folder = 'skills']: readonly string[],
  flags: { readonly tasks?: readonly string[]; readonly json: boolean },
): Promise<number> {
  const { cwd, stdout } = environment;
  const dir = resolve(cwd, folder);
  const users = await usersOf(await tasksFor(cwd, dir, flags.tasks));
  const rows: ListedSkillRow[] = [];
  for (const bundle of await bundlesAt(dir)) {
    const { skill, entries, text } = await loadSkill(bundle);
    const name = basename(bundle);
    const using = [...(users.byName.get(name) ?? []), ...(users.byDigest.get(skill?.digest ?? '') ?? [])];
    rows.push({
      name,
      title: skill?.title,
      files: entries.filter(({ kind }) => kind === 'file').length,
      tokens: text === undefined ? undefined : estimateTokens(text),
      ...(skill === undefined ? {} : { digest: skill.digest }),
      tasks: [...new Set(using)].toSorted(),
    });
  }
  if (flags.json) say(stdout, canonicalJson({ schemaVersion: 1, skills: rows }));
  else say(stdout, renderSkillList(rows));
  return EXIT.ok;
}

/** The folders that were named; else what stands beside the library, and the folder itself where it is a task. */
async function tasksFor(
  cwd: string,
  dir: string,
  named: readonly string[] | undefined,
): Promise<readonly SelectedTask[]> {
  if (named !== undefined) {
    const { tasks, problems } = await findTasks(named.map((each) => resolve(cwd, each)));
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new InputError(errors);
    return tasks;
  }
  const beside = join(dirname(dir), 'tasks');
  const folders = [dir, ...((await isFolder(beside)) ? [beside] : [])];
  return (await findTasks(folders)).tasks;
}

async function usersOf(tasks: readonly SelectedTask[]) {
  const [byName, byDigest] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const add = (users: Map<string, string[]>, key: string, task: string) =>
    users.set(key, [...(users.get(key) ?? []), task]);
  for (const task of tasks) {
    for (const name of await skillNamesOfTask(task.dir)) add(byName, name, task.name);
    for (const digest of await ownBundleDigests(task)) add(byDigest, digest, task.name);
  }
  return { byName, byDigest };
}
