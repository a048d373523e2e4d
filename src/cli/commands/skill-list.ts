import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { estimateTokens } from '../../lint/skill/token-estimate.ts';
import { isFolder } from '../../load/read-text.ts';
import { bundlesAt } from '../../load/skill-places.ts';
import { skillNamesOfTask } from '../../load/skill-users.ts';
import { loadSkill } from '../../load/skills.ts';
import { type ListedSkillRow, renderSkillList } from '../../report/skill-table.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';

/** `skillpair skill list`: the Skills of a library, and which tasks name them. What is wrong with one is for `skill check`. */
export async function skillListCommand(
  environment: Environment,
  [folder = 'skills']: readonly string[],
  flags: { readonly tasks?: string; readonly json: boolean },
): Promise<number> {
  const dir = resolve(environment.cwd, folder);
  const tasks = resolve(environment.cwd, flags.tasks ?? join(dirname(dir), 'tasks'));
  const users = await usersBySkill(tasks);
  const rows: ListedSkillRow[] = [];
  for (const bundle of await bundlesAt(dir)) {
    const { skill, entries, text } = await loadSkill(bundle);
    const name = basename(bundle);
    rows.push({
      name,
      title: skill?.title,
      files: entries.filter(({ kind }) => kind === 'file').length,
      tokens: text === undefined ? undefined : estimateTokens(text),
      ...(skill === undefined ? {} : { digest: skill.digest }),
      tasks: users.get(name) ?? [],
    });
  }
  if (flags.json) say(environment.stdout, canonicalJson({ schemaVersion: 1, skills: rows }));
  else say(environment.stdout, renderSkillList(rows));
  return EXIT.ok;
}

/** Tasks by the Skill that they name, sorted; none where there is no folder of tasks. */
async function usersBySkill(dir: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, string[]>();
  if (!(await isFolder(dir))) return users;
  for (const task of (await readdir(dir)).toSorted()) {
    for (const name of await skillNamesOfTask(join(dir, task))) {
      users.set(name, [...(users.get(name) ?? []), task]);
    }
  }
  return users;
}
