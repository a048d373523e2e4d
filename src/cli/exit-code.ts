import type { Measurement } from '../model/measurement.ts';

/** What a command's exit code tells a program. A failed trial is never an exit code. */
export const EXIT = {
  /** Done, and all gates hold. */
  ok: 0,
  /** A gate failed, or a case that a harness is held to, or what was done in `try`; a check found an error; `verify` another result; a task was not imported. */
  gate: 1,
  /** Wrong usage or wrong input. */
  input: 2,
  /** The environment: engine, disk; `skillpair doctor` names it. */
  environment: 3,
  /** Something planned has no verdict, or something of ours could not be removed. */
  incomplete: 4,
  interrupted: 130,
  terminated: 143,
} as const;

/** The table for `--help`. */
export const EXIT_HELP = `Exit codes:
  0  done, gates hold            3  environment (see doctor)
  1  a gate failed               4  incomplete: unscored trials, or something left behind
  2  usage or input              130/143  interrupted`;

/** How a run came to its end. */
export interface RunEnd {
  readonly measurement: Measurement;
  readonly interruptedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
  readonly failed: boolean;
  readonly leftBehind: number;
  readonly brokenReporters: number;
}

/** First what stopped the run, then what is missing, then what the gates say. */
export function exitCode(end: RunEnd): number {
  if (end.interruptedBy !== undefined) return interruptedCode(end.interruptedBy);
  if (end.failed) return EXIT.environment;
  const { counts, gates } = end.measurement;
  if (counts.unscored > 0 || end.leftBehind > 0 || end.brokenReporters > 0) return EXIT.incomplete;
  return gates.every((gate) => gate.state === 'held') ? EXIT.ok : EXIT.gate;
}

/** What shells expect of a program that a signal ended. */
export function interruptedCode(by: NonNullable<RunEnd['interruptedBy']>): number {
  return by === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
}
