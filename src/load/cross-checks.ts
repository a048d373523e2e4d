import type { Experiment } from '../model/experiment.ts';
import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import type { LocatedFile } from './located-file.ts';

/**
 * What only the whole shows. A task without Skills in an experiment with both conditions is a warning, not an error:
 * its arms are equal by construction, which is useless for a gain and right for measuring noise.
 */
export function crossCheck(file: LocatedFile<Experiment>, tasks: readonly Task[]): Problem[] {
  return [...skillless(file, tasks), ...oneArm(file)];
}

function skillless(file: LocatedFile<Experiment>, tasks: readonly Task[]): Problem[] {
  const without = tasks.filter(({ skills }) => skills.length === 0).map(({ id }) => id);
  if (without.length === 0 || !file.value.conditions.includes('with-skills')) return [];
  const named = someNames(without);
  const count = without.length === 1 ? '1 task has' : `${without.length} tasks have`;
  return [
    {
      severity: 'warning',
      message: `${count} no Skills, so that the arms cannot differ: ${named}`,
      where: file.locate(['conditions'], 'key'),
      repair: 'give them Skills, or leave them out with tasks.exclude',
    },
  ];
}

function someNames(names: readonly string[]): string {
  return names.length > 10
    ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more`
    : names.join(', ');
}

function oneArm(file: LocatedFile<Experiment>): Problem[] {
  const [only] = file.value.conditions;
  if (file.value.conditions.length !== 1 || only === undefined) return [];
  const message = `"${only}" is the only condition: there will be no gain to report`;
  const repair = 'name both: [no-skills, with-skills]';
  return [{ severity: 'note', message, where: file.locate(['conditions'], 'key'), repair }];
}
