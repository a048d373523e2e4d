import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageStore, reachEngine, trialServices } from '../../src/cli/compose.ts';
import { makeLock } from '../../src/cli/make-lock.ts';
import type { RunEvent } from '../../src/model/event.ts';
import { RunId } from '../../src/model/ids.ts';
import type { Project } from '../../src/model/project.ts';
import type { Task } from '../../src/model/task.ts';
import type { Trial } from '../../src/model/trial.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { createRun, type RunFolder } from '../../src/record/run-folder.ts';
import { EngineGate } from '../../src/run/engine-gate.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { loadBenchProject, quietEnvironment } from './bench-project.ts';

/** The product's own path from a plan to records on disk, on the benchmarks' project. Disposing removes its run folder. */
export interface TrialRig extends AsyncDisposable {
  readonly folder: RunFolder;
  /** The no-skills and the with-skills trial of one pair. */
  readonly pair: readonly [Trial, Trial];
  /** How many attempts were made: the number of the latest. */
  attempts(): number;
  /** Runs trials to their records; rejects unless every one was scored. Resolves with the events. */
  run(trials: readonly Trial[], concurrency: number): Promise<readonly RunEvent[]>;
}

/** What a benchmark changes in the project and in the place of the engine. */
export interface RigOptions {
  readonly dockerHost?: string;
  readonly adapt?: (project: Project) => Project;
  /** False where a trial takes long: images are found or built, no trial is run. */
  readonly warmUp?: boolean;
}

/** Connects, finds or builds the images, and warms up with one pair, so that what is measured afterwards is trials alone. */
export async function makeTrialRig(options: RigOptions = {}): Promise<TrialRig> {
  const { dockerHost, adapt = same, warmUp = true } = options;
  await using stack = new AsyncDisposableStack();
  const environment = quietEnvironment(dockerHost);
  const project = adapt(await loadBenchProject());
  const planned = makePlan(project);
  if (!planned.ok) throw new Error(planned.error.map(({ message }) => message).join('\n'));
  const { plan, tasks } = planned.value;
  const { engine, host } = await reachEngine(environment);
  const stop = new AbortController();
  const now = environment.now;
  const images = imageStore(environment, engine, { project, emit: () => undefined, stop: stop.signal });
  const baseImages = await images.baseImages(tasks, stop.signal);
  const run = RunId.parse(`bench-${randomBytes(4).toString('hex')}`);
  const base = stack.adopt(await mkdtemp(join(tmpdir(), 'skillpair-bench-')), (dir) =>
    rm(dir, { recursive: true, force: true }),
  );
  const lock = makeLock({ run, createdAt: now(), project, plan, part: [], host, baseImages });
  const onBroken = (error: Error) => {
    throw error;
  };
  const folder = stack.use(await createRun({ dir: join(base, run), lock, onBroken }));
  const services = trialServices({ engine, host, images, project, run });
  const gate = new EngineGate({ engine, patienceMs: 10_000, say: () => undefined });
  let attempts = 0;

  const runTrials: TrialRig['run'] = async (trials, concurrency) => {
    const events: RunEvent[] = [];
    const owed = trials.map((trial) => ({ trial, attempt: ++attempts, attemptsLeft: 1 }));
    const result = await runExperiment({
      project,
      services,
      trials: owed,
      concurrency,
      policy: project.experiment.attempts,
      gate,
      beginAttempt: (trial, attempt) => folder.beginAttempt(trial, attempt),
      emit: (event) => {
        folder.journal.append(event);
        events.push(event);
      },
      now,
      drain: stop.signal,
      stop,
    });
    refuseFaults(events, result.failure);
    return events;
  };
  const [first, second] = plan.trials.toSorted((a, b) => (a.condition < b.condition ? -1 : 1));
  if (first === undefined || second === undefined) throw new Error('the benchmark project plans no pair');
  if (warmUp) await runTrials([first, second], 1);
  else
    await Promise.all([images.taskImage(tasks[0] as Task, stop.signal), images.verifierVolume(stop.signal)]);
  const owned = stack.move();
  return {
    folder,
    pair: [first, second],
    attempts: () => attempts,
    run: runTrials,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function same(project: Project): Project {
  return project;
}

function refuseFaults(events: readonly RunEvent[], failure: Error | undefined): void {
  if (failure !== undefined) throw failure;
  for (const event of events) {
    if (event.kind === 'trial-ended' && event.outcome.kind === 'unscored') {
      throw new Error(`${event.trial} was not scored: ${event.outcome.reason}: ${event.outcome.detail}`);
    }
    if (event.kind === 'notice') throw new Error(event.message);
  }
}
