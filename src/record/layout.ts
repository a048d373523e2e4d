import type { Trial } from '../model/trial.ts';

/** Every path under `runs/<run-id>/`. */
export interface RunLayout {
  readonly dir: string;
  /** The lock of the run: what was run. */
  readonly runFile: string;
  /** In the place of a run's lock: results that were imported. */
  readonly importFile: string;
  readonly eventsFile: string;
  /** There while a runner owns the folder. */
  readonly ownerFile: string;
  readonly trialsDir: string;
  readonly reportsDir: string;
}

/** Where the parts of a run folder are. */
export function runLayout(dir: string): RunLayout {
  return {
    dir,
    runFile: `${dir}/run.json`,
    importFile: `${dir}/import.json`,
    eventsFile: `${dir}/events.jsonl`,
    ownerFile: `${dir}/owner.lock`,
    trialsDir: `${dir}/trials`,
    reportsDir: `${dir}/reports`,
  };
}

/** Holds one folder for each attempt of the trial, named by its number. */
export function trialDir(runDir: string, trial: Trial): string {
  // Not path.join: its normalizing is felt at a hundred thousand trials.
  const { task, condition, index, configuration } = trial;
  return `${runDir}/trials/${task}/${condition}/${index}/${configuration}`;
}

/** Every path of one attempt. */
export interface AttemptLayout {
  readonly dir: string;
  /** `attempt.json`: the attempt exists if and only if this file does. */
  readonly recordFile: string;
  /** Streams and trajectory. */
  readonly agentDir: string;
  /** The verifier's streams and report. */
  readonly verifierDir: string;
  /** What the task declares as worth keeping. */
  readonly artifactsDir: string;
}

/** Where the parts of an attempt are; its number starts at 1. */
export function attemptLayout(runDir: string, trial: Trial, attempt: number): AttemptLayout {
  const dir = `${trialDir(runDir, trial)}/${attempt}`;
  return {
    dir,
    recordFile: `${dir}/attempt.json`,
    agentDir: `${dir}/agent`,
    verifierDir: `${dir}/verifier`,
    artifactsDir: `${dir}/artifacts`,
  };
}
