import type { Project } from '../../model/project.ts';
import type { Trial } from '../../model/trial.ts';
import { matrix } from '../../plan/matrix.ts';
import { NOP, ORACLE } from './gate-project.ts';

/** Which trials a task's gate needs: the solution, where there is one, in both arms, and nothing done in the one without Skills. */
export function gateTrials(project: Project): Trial[] {
  const { tasks, configurations, experiment } = project;
  const withSkills = new Set(tasks.filter(({ skills }) => skills.length > 0).map(({ id }) => id));
  const solved = new Set(tasks.filter(({ solution }) => solution !== undefined).map(({ id }) => id));
  const all = matrix({ tasks, configurations, conditions: experiment.conditions }, experiment.trials);
  return all.filter(({ task, condition, configuration, index }) => {
    const isTreated = condition === 'with-skills';
    if (configuration === NOP) return !isTreated;
    if (!solved.has(task)) return false;
    return isTreated ? withSkills.has(task) : !withSkills.has(task) || index === 1;
  });
}

/** True of the one trial of a task that goes before all others: nothing done, once. */
export function isFirst({ configuration, index }: Trial): boolean {
  return configuration === NOP && index === 1;
}

/** One trial for each almost-right solution, with the Skills where there are any. */
export function almostRightTrials(project: Project): Trial[] {
  return gateTrials({ ...project, experiment: { ...project.experiment, trials: 1 } }).filter(
    ({ task, condition, configuration }) =>
      configuration === ORACLE && (condition === 'with-skills') === hasSkills(project, task),
  );
}

function hasSkills({ tasks }: Project, id: Trial['task']): boolean {
  return (tasks.find((task) => task.id === id)?.skills.length ?? 0) > 0;
}
