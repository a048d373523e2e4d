import type { LockOwner } from '../base/lock-file.ts';
import type { Engine, EngineInfo } from '../engine/engine.ts';
import type { TrajectoryReader } from '../harness/harness.ts';
import type { ImageStore } from '../image/image-store.ts';
import type { Notice } from '../model/attempt.ts';
import type { Configuration } from '../model/configuration.ts';
import type { Discovery, Harness, HarnessManifest } from '../model/harness.ts';
import type { RunId } from '../model/ids.ts';
import type { Task, VerifierSpec } from '../model/task.ts';
import type { Trial } from '../model/trial.ts';
import type { ReadVerdict } from '../verifier/verifier.ts';
import type { PackageStore } from './packages/package-store.ts';
import type { RunModels } from './run-models.ts';
import type { FreeSpace } from './storage-watch.ts';
import type { InSlot } from './work-slots.ts';

/** What all trials of a run share. */
export interface TrialServices {
  readonly engine: Engine;
  readonly host: EngineInfo;
  readonly images: ImageStore;
  readonly freeSpace: FreeSpace;
  readonly readerFor: (trajectory: HarnessManifest['trajectory']) => TrajectoryReader;
  readonly readVerdict: Readonly<Record<VerifierSpec['kind'], ReadVerdict>>;
  readonly discovery: Discovery;
  readonly run: RunId;
  /** Absent in a run of which no trial goes through the model gateway. */
  readonly models?: RunModels | undefined;
  /** Absent: every verifier downloads its packages. */
  readonly packages?: PackageStore | undefined;
  /** Goes into the labels, so that a later sweep knows whether the owner still lives. */
  readonly owner: LockOwner;
}

/** One attempt at one trial, with everything it names resolved. */
export interface AttemptInput {
  readonly trial: Trial;
  readonly attempt: number;
  readonly task: Task;
  readonly configuration: Configuration;
  readonly harness: Harness;
  /** Host folder for this attempt's evidence. */
  readonly evidenceDir: string;
  /** Fires when the whole run must stop now. */
  readonly stop: AbortSignal;
  readonly notice: (notice: Notice) => void;
  /** Bounds how much of the host's work goes on at once, over all trials of the run; not to be nested. */
  readonly inSlot: InSlot;
  /** How often the work is verified, each time in a container of its own; the first time decides. */
  readonly verifications: number;
  /** Told of an engine object that could not be removed: the verdict stands, the run names it and exits non-zero. */
  readonly leftBehind: (what: string) => void;
}
