import { mkdir, writeFile } from 'node:fs/promises';
import type { Engine, EngineInfo } from '../../engine/engine.ts';
import type { ImageStore } from '../../image/image-store.ts';
import type { AttemptRecord } from '../../model/attempt.ts';
import { collectionFailureIn } from '../../model/collection-failure.ts';
import type { Emit } from '../../model/event.ts';
import type { RunId } from '../../model/ids.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Project } from '../../model/project.ts';
import type { Trial } from '../../model/trial.ts';
import { attemptLayout } from '../../record/layout.ts';
import { EngineGate } from '../../run/engine-gate.ts';
import { runExperiment } from '../../run/run-experiment.ts';
import { packageStore, trialServices } from '../compose.ts';
import type { Environment } from '../environment.ts';
import type { Interrupts } from '../interrupts.ts';
import { machineSettings } from '../load-experiment.ts';
import { openModels } from '../models.ts';
import { withModels } from '../with-models.ts';

/** A check waits for no engine that is away for longer. */
const ENGINE_PATIENCE_MS = 60_000;

/** What trials of a check are run with. */
export interface TrialBench {
  readonly environment: Environment;
  readonly engine: Engine;
  readonly host: EngineInfo;
  readonly images: ImageStore;
  readonly run: RunId;
  /** Folder for evidence, in the form of a run's. */
  readonly dir: string;
  readonly concurrency: number;
  readonly emit: Emit;
  readonly say: (message: string) => void;
  readonly interrupts: Interrupts;
}

/** What came of trials: the last record of each that was begun, and what could not be removed. */
export interface TrialsDone {
  readonly records: readonly AttemptRecord[];
  readonly leftBehind: readonly string[];
}

/** True of an outcome without a verdict since a file of tests cannot be collected: it comes out the same whoever's work is verified. */
export function isUncollected(outcome: Outcome): boolean {
  return outcome.kind === 'unscored' && collectionFailureIn(outcome.detail) !== undefined;
}

/** Runs trials as a run does, `verifications` times verified, and keeps their evidence below `dir`. Throws what a run would end with. */
export async function runTrials(
  bench: TrialBench,
  project: Project,
  { trials, verifications }: { readonly trials: readonly Trial[]; readonly verifications: number },
): Promise<TrialsDone> {
  const { environment, engine, host, images, run, interrupts, say } = bench;
  const machine = await machineSettings(environment);
  const packages = packageStore(machine, { trials, verifications, say });
  const opening = {
    project,
    engine,
    run,
    trials,
    images,
    reach: machine.models,
    stop: interrupts.stop.signal,
    say,
  };
  const records = new Map<string, AttemptRecord>();
  const result = await withModels({
    open: (leftBehind) => openModels(environment, { ...opening, leftBehind }),
    say,
    run: (models) =>
      runExperiment({
        project,
        services: trialServices({ engine, host, images, project, run, models, packages }),
        trials: trials.map((trial) => ({ trial, attempt: 1, attemptsLeft: project.experiment.attempts.max })),
        concurrency: bench.concurrency,
        policy: project.experiment.attempts,
        isSettled: isUncollected,
        verifications,
        gate: new EngineGate({ engine, patienceMs: ENGINE_PATIENCE_MS, say }),
        beginAttempt: async (trial, attempt) => {
          const { dir, recordFile } = attemptLayout(bench.dir, trial, attempt);
          await mkdir(dir, { recursive: true });
          const commit = async (record: AttemptRecord) => {
            await writeFile(recordFile, JSON.stringify(record, null, 1));
            records.set(trial.id, record);
          };
          return { dir, commit };
        },
        emit: bench.emit,
        now: environment.now,
        drain: interrupts.drain,
        stop: interrupts.stop,
      }),
  });
  if (result.failure !== undefined) throw result.failure;
  return { records: [...records.values()], leftBehind: result.leftBehind };
}
