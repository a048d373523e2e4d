import type { Experiment } from '../model/experiment.ts';
import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import type { LocatedFile } from './located-file.ts';

/**
 * What only the whole shows. A task without Skills in an experiment with both conditions is a warning, not an error:
 * its arms are equal by construction, which is useless for a gain and right for measuring noise.
 */
export function crossCheck(file: LocatedFile<Experiment>, tasks: readonly Task[]): Problem[] {
  return [...skillless(file, tasks), ...oneArm(file), ...storageLimits(file, tasks)];
}

function skillless(file: LocatedFile<Experiment>, tasks: readonly Task[]): Problem[] {
  const without = tasks.filter(({ skills }) => skills.length === 0).map(({ id }) => id);
  if (without.length === 0 || !file.value.conditions.includes('with-skills')) return [];
  const count = without.length === 1 ? '1 task has' : `${without.length} tasks have`;
  return [
    {
      severity: 'warning',
      message: `${count} no Skills, so that the arms cannot differ: ${nameUpTo(10, without)}`,
      where: file.locate(['conditions'], 'key'),
      repair: 'give them Skills, or leave them out with tasks.exclude',
    },
  ];
}

function oneArm(file: LocatedFile<Experiment>): Problem[] {
  const [only] = file.value.conditions;
  if (file.value.conditions.length !== 1 || only === undefined) return [];
  const message = `"${only}" is the only condition: there will be no gain to report`;
  const repair = 'name both: [no-skills, with-skills]';
  return [{ severity: 'note', message, where: file.locate(['conditions'], 'key'), repair }];
}

/** Engines can limit a container's disk on few storage drivers only. A wish that is not granted is said, not dropped. */
function storageLimits(file: LocatedFile<Experiment>, tasks: readonly Task[]): Problem[] {
  const wishing = tasks
    .filter(({ environment }) => environment.storageBytes !== undefined)
    .map(({ id }) => id);
  if (wishing.length === 0) return [];
  const count = wishing.length === 1 ? '1 task asks' : `${wishing.length} tasks ask`;
  const message = `${count} for a limit of storage, and containers get none: ${nameUpTo(10, wishing)}`;
  const repair = 'nothing needs to be done; in both arms the disk of the engine is the limit';
  return [{ severity: 'note', message, where: file.locate(['tasks'], 'key'), repair }];
}

function nameUpTo(most: number, names: readonly string[]): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
