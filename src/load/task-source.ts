import type { Problem } from '../model/problem.ts';
import type { Task } from '../model/task.ts';
import type { DigestOf } from './file-contents.ts';
import type { SkillLibrary } from './skill-library.ts';

/** What it takes to read one task folder. */
export interface TaskSource {
  /** Name of the folder, not yet proved to be a task id. */
  readonly name: string;
  readonly dir: string;
  readonly library: SkillLibrary;
  /** The experiment names a library that is not there, which is told at its place: no task has to say so again. */
  readonly isLibraryMissing: boolean;
  /** Host variables that `${NAME}` in an environment table may stand for, with their values. */
  readonly allowEnv: Readonly<Record<string, string>>;
  /** A configuration runs the reference solution. */
  readonly needsSolution: boolean;
  /** For whoever reads the files too; absent: they are read for their digests alone. */
  readonly digestOf?: DigestOf;
}

/** A task, unless an error stands in the problems; and the bodies of its Skills, by name, for checks of its text. */
export interface LoadedTask {
  readonly task?: Task;
  /** What was understood of a task that an error forbids to run; absent where too little was. */
  readonly refused?: Task;
  readonly skillBodies: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}
