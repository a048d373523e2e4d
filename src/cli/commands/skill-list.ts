import { basename, dirname, join } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { estimateTokens } from '../../lint/skill/token-estimate.ts';
import { findTasks, type SelectedTask } from '../../load/find-tasks.ts';
import { isFolder } from '../../load/read-text.ts';
import { ownBundleDigests, skillNamesOfTask } from '../../load/skill-users.ts';
import { type LoadedSkill, loadSkill } from '../../load/skills.ts';
import { InputError } from '../../model/problem.ts';
import { type ListedSkillRow, renderSkillList } from '../../report/skill-table.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { findSkillFolder, findSkills } from '../find-skills.ts';
import { namedTasks } from '../read-tasks.ts';

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
  const dir = await findSkillFolder(cwd, folder);
  const users = await usersOf(await tasksFor(cwd, dir, flags.tasks));
  const rows: ListedSkillRow[] = [];
  for (const bundle of (await findSkills(cwd, [dir])).dirs) {
    const loaded = await loadSkill(bundle);
    const { problems } = loaded;
    if (bundle === dir && problems.some(({ rule }) => rule === 'skill-file')) throw new InputError(problems);
    rows.push(rowOf(basename(bundle), loaded, users));
  }
  if (flags.json) say(stdout, canonicalJson({ schemaVersion: 1, skills: rows }));
  else say(stdout, renderSkillList(rows));
  return EXIT.ok;
}

function rowOf(
  name: string,
  { skill, entries, text }: LoadedSkill,
  { byName, byDigest }: Awaited<ReturnType<typeof usersOf>>,
): ListedSkillRow {
  const using = [...(byName.get(name) ?? []), ...(byDigest.get(skill?.digest ?? '') ?? [])];
  return {
    name,
    title: skill?.title,
    files: entries.filter(({ kind }) => kind === 'file').length,
    tokens: text === undefined ? undefined : estimateTokens(text),
    ...(skill === undefined ? {} : { digest: skill.digest }),
    tasks: [...new Set(using)].toSorted(),
  };
}

/** The folders that were named; else what stands beside the library, and the folder itself where it is a task. */
async function tasksFor(
  cwd: string,
  dir: string,
  named: readonly string[] | undefined,
): Promise<readonly SelectedTask[]> {
  if (named !== undefined) return namedTasks(cwd, named);
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
