import type { Configuration } from './configuration.ts';
import type { Experiment } from './experiment.ts';
import type { Discovery, Harness } from './harness.ts';
import type { ModelScript } from './model-script.ts';
import type { Problem } from './problem.ts';
import type { Task } from './task.ts';

/** A model script and what pins it. */
export interface ProjectScript {
  readonly value: ModelScript;
  readonly digest: string;
}

/** Everything an experiment names, loaded, cross-checked and frozen. */
export interface Project {
  /** Absolute path of the experiment file. */
  readonly experimentPath: string;
  readonly experiment: Experiment;
  readonly tasks: readonly Task[];
  readonly configurations: readonly Configuration[];
  readonly harnesses: ReadonlyMap<string, Harness>;
  /** Folders in which *any* known harness finds Skills: what attestation looks at. */
  readonly discovery: Discovery;
  /** Answers in the place of a model, in mode `scripted`; absent: the built-in one. */
  readonly script?: ProjectScript | undefined;
  readonly verifiersDir: string;
  /** Digest of the verifier bundle's folder. */
  readonly verifiersDigest: string;
  /** Warnings and notes; with errors there is no Project. */
  readonly problems: readonly Problem[];
}
