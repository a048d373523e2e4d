import { shortDigest } from '../base/digest.ts';
import type { LockedTask } from '../model/run-lock.ts';
import type { Difference } from './difference.ts';

/** Tasks of a run against the same tasks now: gone, other files, other Skills. Tasks that are only in `fresh` are no difference. */
export function taskDifferences(locked: readonly LockedTask[], fresh: readonly LockedTask[]): Difference[] {
  const now = new Map(fresh.map((task) => [task.id, task]));
  return locked.flatMap((task) => oneTask(task, now.get(task.id)));
}

function oneTask(before: LockedTask, now: LockedTask | undefined): Difference[] {
  const field = `tasks.${before.id}`;
  if (now === undefined) return [drift(field, `task ${before.id} is gone`)];
  const files =
    before.digest === now.digest
      ? []
      : [drift(`${field}.digest`, `task ${before.id}: its files changed (${moved(before, now)})`)];
  return [...files, ...skills(before, now)];
}

function skills(before: LockedTask, now: LockedTask): Difference[] {
  const were = new Map(before.skills.map((skill) => [skill.name, skill]));
  const are = new Map(now.skills.map((skill) => [skill.name, skill]));
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((name) => {
    const was = were.get(name);
    const is = are.get(name);
    if (was?.digest === is?.digest) return [];
    const field = `tasks.${before.id}.skills.${name}`;
    return [drift(field, `task ${before.id}: Skill ${name} ${skillChange(was, is)}`)];
  });
}

function skillChange(was: { digest: string } | undefined, is: { digest: string } | undefined): string {
  if (was === undefined) return 'was added';
  if (is === undefined) return 'is gone';
  return `changed (${moved(was, is)})`;
}

function moved(was: { digest: string }, is: { digest: string }): string {
  return `${shortDigest(was.digest)} -> ${shortDigest(is.digest)}`;
}

function drift(field: string, message: string): Difference {
  return { field, kind: 'drift', message };
}
