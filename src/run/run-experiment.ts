import pLimit from 'p-limit';
import type { EngineError } from '../engine/engine.ts';
import type { AttemptRecord } from '../model/attempt.ts';
import type { Emit } from '../model/event.ts';
import type { AttemptPolicy } from '../model/experiment.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Project } from '../model/project.ts';
import { isRepeatable } from '../model/repeatable.ts';
import type { Trial } from '../model/trial.ts';
import { runAttempt } from './attempt.ts';
import type { EngineGate } from './engine-gate.ts';
import { RefusedAccounts } from './refused-accounts.ts';
import type { TrialServices } from './trial-context.ts';
import { type InSlot, workSlots } from './work-slots.ts';

/** A trial that is owed attempts, and the number of the next. */
export interface TrialToRun {
  readonly trial: Trial;
  readonly attempt: number;
  readonly attemptsLeft: number;
}

/** Where an attempt writes its evidence, and how its record becomes permanent. */
export interface AttemptFolder {
  readonly dir: string;
  commit(record: AttemptRecord): Promise<void>;
}

/** Everything that running needs and that is made elsewhere. */
export interface RunJob {
  readonly project: Project;
  readonly services: TrialServices;
  readonly trials: readonly TrialToRun[];
  readonly concurrency: number;
  readonly policy: AttemptPolicy;
  /** True of an outcome that no further attempt would change, though its reason alone may. Absent: of none. */
  readonly isSettled?: (outcome: Outcome) => boolean;
  /** How often each trial's work is verified; the first time decides. Absent: once. */
  readonly verifications?: number;
  readonly gate: EngineGate;
  readonly beginAttempt: (trial: Trial, attempt: number) => Promise<AttemptFolder>;
  readonly emit: Emit;
  readonly now: () => Date;
  /** Fires first: nothing new is started, what runs is finished. */
  readonly drain: AbortSignal;
  /** Fires second: what runs is ended. */
  readonly stop: AbortController;
}

/** How a run ended, and what of ours is still on the engine. */
export interface RunResult {
  readonly reason: 'done' | 'interrupted' | 'stopped';
  readonly leftBehind: readonly string[];
  /** Set when the run could not go on: the disk is full, the engine stayed away. */
  readonly failure: Error | undefined;
}

/** Runs what is owed, `concurrency` trials at a time, in plan order. Rejects never; see `failure`. */
export async function runExperiment(job: RunJob): Promise<RunResult> {
  const inSlot = workSlots(job.services.host.cpus);
  const refused = new RefusedAccounts({
    project: job.project,
    models: job.services.models,
    say: (message) => job.emit({ kind: 'notice', at: job.now().toISOString(), message }),
  });
  const state: State = {
    leftBehind: [],
    stopNew: false,
    failure: undefined,
    ended: 0,
    inSlot,
    refused,
    isCut: false,
    halt: AbortSignal.any([job.drain, job.stop.signal]),
  };
  const limit = pLimit(job.concurrency);
  await Promise.all(job.trials.map((owed) => limit(() => runOwed(job, owed, state))));
  // An interrupt that came when nothing was left to start or to cancel has cut nothing short.
  const interrupted = (job.drain.aborted || job.stop.signal.aborted) && state.ended < job.trials.length;
  const reason = interrupted ? 'interrupted' : state.stopNew || state.isCut ? 'stopped' : 'done';
  return { reason, leftBehind: state.leftBehind, failure: state.failure };
}

interface State {
  readonly leftBehind: string[];
  stopNew: boolean;
  failure: Error | undefined;
  /** Trials that had their last word, with a verdict or without. */
  ended: number;
  readonly inSlot: InSlot;
  readonly refused: RefusedAccounts;
  /** A trial was held back since its provider refused the key. */
  isCut: boolean;
  /** Fires when nothing new is to be started any more. */
  readonly halt: AbortSignal;
}

function mayStart(job: RunJob, state: State): boolean {
  return !state.stopNew && !job.drain.aborted && !job.stop.signal.aborted;
}

/** As {@link mayStart}, for one trial: not where its provider refused the key. */
function mayBegin(job: RunJob, { trial }: TrialToRun, state: State): boolean {
  if (!mayStart(job, state)) return false;
  const isHeld = state.refused.holds(trial);
  if (isHeld) state.isCut = true;
  return !isHeld;
}

/** All attempts of one trial. What breaks here is the run's own ground (its disk, the engine), so nothing new is started. */
async function runOwed(job: RunJob, owed: TrialToRun, state: State): Promise<void> {
  try {
    for (let done = 0; done < owed.attemptsLeft && mayStart(job, state); done++) {
      const shut = await job.gate.pass(state.halt);
      if (!mayBegin(job, owed, state)) return;
      if (shut !== undefined) throw shut;
      const again = await runOnce(
        job,
        { ...owed, attempt: owed.attempt + done, attemptsLeft: owed.attemptsLeft - done },
        state,
      );
      if (!again) return;
    }
  } catch (error) {
    state.stopNew = true;
    state.failure ??= error instanceof Error ? error : new Error(String(error));
  }
}

/** One attempt, recorded. True when another one should follow. */
async function runOnce(job: RunJob, owed: TrialToRun, state: State): Promise<boolean> {
  const { trial, attempt } = owed;
  const folder = await job.beginAttempt(trial, attempt);
  let failed: EngineError | undefined;
  const record = await runAttempt(
    job.services,
    {
      ...resolved(job.project, trial),
      trial,
      attempt,
      evidenceDir: folder.dir,
      stop: job.stop.signal,
      inSlot: state.inSlot,
      verifications: job.verifications ?? 1,
      leftBehind: (what) => {
        state.leftBehind.push(what);
        job.emit({
          kind: 'notice',
          at: job.now().toISOString(),
          message: `could not remove ${what}`,
          trial: trial.id,
        });
      },
    },
    {
      emit: job.emit,
      now: job.now,
      engineFailed: (error) => {
        failed = error;
      },
    },
  );
  await folder.commit(record);
  const wanted = owed.attemptsLeft > 1 && isWorthAnother(job, record);
  const again = wanted && mayStart(job, state);
  if (!wanted && !isCancelled(record)) state.ended += 1;
  job.emit({
    kind: 'trial-ended',
    at: job.now().toISOString(),
    trial: trial.id,
    attempt,
    outcome: record.outcome,
    durationMs: record.durationMs,
    final: !again,
  });
  state.refused.ended(record);
  hold(job, state, { outcome: record.outcome, failed });
  react(job, record, state);
  return again;
}

function isCancelled({ outcome }: AttemptRecord): boolean {
  return outcome.kind === 'unscored' && outcome.reason === 'cancelled';
}

function isWorthAnother({ isSettled }: RunJob, { outcome }: AttemptRecord): boolean {
  if (outcome.kind === 'scored' || isSettled?.(outcome) === true) return false;
  return isRepeatable(outcome.reason);
}

/** Attempts wait where this one shows that they would fare no better. */
function hold(
  job: RunJob,
  state: State,
  { outcome, failed }: Pick<AttemptRecord, 'outcome'> & { readonly failed: EngineError | undefined },
): void {
  if (outcome.kind === 'scored') return;
  if (failed?.kind === 'no-space') job.gate.full(failed.message, state.halt);
  else if (outcome.reason === 'runtime-lost') job.gate.lost(state.halt);
}

/** What an unscored attempt means for the rest of the run. */
function react(job: RunJob, { outcome }: AttemptRecord, state: State): void {
  if (outcome.kind === 'scored') return;
  if (outcome.reason === 'internal' || job.policy.onUnscored !== 'continue') state.stopNew = true;
  if (job.policy.onUnscored === 'stop-now') job.stop.abort();
}

function resolved(project: Project, trial: Trial) {
  const task = project.tasks.find(({ id }) => id === trial.task);
  const configuration = project.configurations.find(({ name }) => name === trial.configuration);
  const harness = configuration && project.harnesses.get(configuration.harness);
  if (task === undefined || configuration === undefined || harness === undefined) {
    throw new Error(`${trial.id} names something that the project does not hold`);
  }
  return { task, configuration, harness };
}
