import type { ConfigurationName, TaskId } from '../src/model/ids.ts';
import type { Project } from '../src/model/project.ts';
import { makePlan } from '../src/plan/plan.ts';
import { renderPlan } from '../src/report/plan-table.ts';
import { loadBenchProject } from './support/bench-project.ts';
import { atMost, type Figure, median, timed } from './support/figure.ts';

const TASKS = 100;
const CONFIGURATIONS = 10;
const INDEXES = 5;
const ROUNDS = 7;
const LIMIT_MS = 500;

/** A plan of 10,000 trials: 100 tasks x 2 conditions x 10 configurations x 5. What is loaded, the project, is there already. */
export async function planOfTenThousand(): Promise<readonly Figure[]> {
  const project = widened(await loadBenchProject());
  const plan = makePlan(project);
  if (!plan.ok || plan.value.plan.trials.length !== 10_000) throw new Error('not a plan of 10,000 trials');
  const first = await fresh(project);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(async () => makePlan(project)));
  const table = await timed(async () => renderPlan({ plan: plan.value.plan, images: [] }));
  return [
    atMost(LIMIT_MS, { name: 'plan of 10,000 trials', figure: median(rounds), unit: 'ms' }),
    { name: '  with a selection by task, before the code is warm', figure: first, unit: 'ms' },
    { name: '  its table for the terminal', figure: table, unit: 'ms' },
  ];
}

function fresh(project: Project): Promise<number> {
  return timed(async () => makePlan(project, { selection: { tasks: ['task-00*'] } }));
}

/** The bench project with its one task and configuration under many names. */
function widened(project: Project): Project {
  const [task] = project.tasks;
  const [configuration] = project.configurations;
  if (task === undefined || configuration === undefined) throw new Error('the benchmark project is empty');
  const names = (word: string, count: number) =>
    Array.from({ length: count }, (_, place) => `${word}-${String(place).padStart(4, '0')}`);
  return {
    ...project,
    experiment: { ...project.experiment, trials: INDEXES },
    tasks: names('task', TASKS).map((id) => ({ ...task, id: id as TaskId })),
    configurations: names('nop', CONFIGURATIONS).map((name) => ({
      ...configuration,
      name: name as ConfigurationName,
    })),
  };
}
