import type { Engine } from '../engine/engine.ts';
import { type PlannedImage as FoundImage, planImages } from '../image/plan-images.ts';
import type { Configuration } from '../model/configuration.ts';
import type { Harness } from '../model/harness.ts';
import type { Problem } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { Task } from '../model/task.ts';
import type { PlannedImage } from '../report/plan-table.ts';
import { HOST_CERTIFICATES } from './host-certificates.ts';
import { CACHE_DIR } from './load-experiment.ts';
import { HOME } from './version.ts';

const LOOK_BUDGET_MS = 120_000;

/** What tasks and configurations need of images and bundles: there, to be built or pulled, or not to be had. Builds nothing. */
export async function lookAtImages(from: LookFrom): Promise<PlannedImage[]> {
  return (await found(from)).map(described);
}

/** What would stop the builds of a whole project, as far as its files alone tell: no engine is asked. */
export async function imageProblems(project: Project): Promise<Problem[]> {
  const { tasks, configurations } = project;
  const images = await found({ project, tasks, configurations, engine: undefined });
  return images.flatMap(({ problems }) => problems);
}

/** What stands in the way of each task's image, in their order, and what would have to be pulled for it, if an engine is asked. */
export async function lookAtTasks(
  project: Project,
  tasks: readonly Task[],
  engine: Engine | undefined,
): Promise<readonly Pick<FoundImage, 'subject' | 'toPull' | 'problems'>[]> {
  const images = await planned({ project, tasks, harnesses: [], engine });
  return images.filter(({ purpose }) => purpose === 'task');
}

/** Whether the bundle of each harness is built, by its id; undefined where that cannot be told. Asks the engine, builds nothing. */
export async function builtBundles(
  project: Project,
  harnesses: readonly Harness[],
  engine: Engine,
): Promise<ReadonlyMap<string, boolean | undefined>> {
  const images = await planned({ project, tasks: [], harnesses, engine });
  return new Map(images.map(({ subject, exists }) => [subject, exists]));
}

interface LookFrom {
  readonly project: Project;
  readonly tasks: readonly Task[];
  readonly configurations: readonly Configuration[];
  readonly engine: Engine | undefined;
}

async function found({ configurations, ...from }: LookFrom): Promise<readonly FoundImage[]> {
  const used = new Set(configurations.map(({ harness }) => harness));
  const harnesses = [...from.project.harnesses.values()].filter(({ manifest }) => used.has(manifest.id));
  return planned({ ...from, harnesses });
}

async function planned(
  from: Omit<LookFrom, 'configurations'> & { readonly harnesses: readonly Harness[] },
): Promise<readonly FoundImage[]> {
  const settings = { projectRoot: HOME, cacheDir: CACHE_DIR, certificates: HOST_CERTIFICATES };
  return planImages({ ...from, ...settings }, AbortSignal.timeout(LOOK_BUDGET_MS));
}

function described({ purpose, subject, exists, toPull, problems, deletedBecause }: FoundImage): PlannedImage {
  const what = purpose === subject ? `${purpose} bundle` : `${purpose} ${subject}`;
  const remarks = [
    ...(toPull.length > 0 ? [`needs ${toPull.join(', ')}, which would be pulled`] : []),
    ...(deletedBecause === undefined ? [] : [`Skills deleted in a last layer: ${deletedBecause}`]),
  ];
  return {
    what,
    exists,
    ...(problems.length === 0 ? {} : { problem: problems.map(({ message }) => message).join('; ') }),
    ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }),
  };
}
