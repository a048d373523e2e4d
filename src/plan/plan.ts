import { err, ok, type Result } from '../base/result.ts';
import type { Configuration } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import type { Plan } from '../model/trial.ts';
import { matrix } from './matrix.ts';
import { order } from './order.ts';
import { pairs } from './pairs.ts';
import { type Selection, select } from './select.ts';
import { type Shard, shardOf } from './shard.ts';

/** How much of an experiment is wanted. */
export interface PlanOptions {
  readonly selection?: Selection | undefined;
  readonly shard?: Shard | undefined;
}

/** A plan and what takes part in it. */
export interface Planned {
  readonly plan: Plan;
  /** Only tasks and configurations that have a trial in the plan, in the project's order. */
  readonly tasks: readonly Task[];
  readonly configurations: readonly Configuration[];
  /** Allowed, but worth saying before it runs. */
  readonly notes: readonly Problem[];
}

/** Makes the plan: the same project and options give the same plan, on every machine. */
export function makePlan(project: Project, options: PlanOptions = {}): Result<Planned, readonly Problem[]> {
  const selection = select(project, options.selection ?? {});
  if (!selection.ok) return selection;
  const { experiment } = project;
  const selected = selection.value;
  const whole = order(matrix(selected, experiment.trials), experiment.seed);
  const trials = options.shard === undefined ? whole : shardOf(whole, options.shard);
  if (trials.length === 0) return err([emptyShard(options.shard, pairs(whole).length)]);
  const tasks = new Set(trials.map((trial) => trial.task));
  const configurations = new Set(trials.map((trial) => trial.configuration));
  return ok({
    plan: { schemaVersion: 1, experiment: experiment.name, seed: experiment.seed, trials },
    tasks: selected.tasks.filter((task) => tasks.has(task.id)),
    configurations: selected.configurations.filter(({ name }) => configurations.has(name)),
    notes: selected.notes,
  });
}

function emptyShard(shard: Shard | undefined, planned: number): Problem {
  return {
    severity: 'error',
    message: `nothing is selected: part ${shard?.index}/${shard?.count} is empty, the plan has ${planned} pairs`,
    repair: `use at most ${planned} parts`,
  };
}
