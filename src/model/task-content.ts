import type { Skill } from './skill.ts';

/** One file of a task folder, read for checks. */
export interface ContentFile {
  /** Relative to the task folder (or to the Skill, for a Skill's files), `/` between parts. */
  readonly path: string;
  /** Where it is on the host. */
  readonly hostPath: string;
  readonly size: number;
  /** Of its bytes; absent for what is no regular file. */
  readonly digest?: string;
  /** Its text, where it is UTF-8 without NUL and not too large to be written by hand. */
  readonly text?: string;
}

/** A Skill's files, read for checks. */
export interface SkillContent {
  readonly skill: Skill;
  /** Text of SKILL.md below its head. */
  readonly body: string;
  readonly files: readonly ContentFile[];
}

/** What a check of a task's text looks at; read once, before any rule. */
export interface TaskContent {
  /** The task's id, or the folder's name where that is none. */
  readonly subject: string;
  readonly dir: string;
  readonly instruction: string;
  /** Without `.git` and what lies in it, which stand in `repositories`. */
  readonly tests: readonly ContentFile[];
  readonly solution: readonly ContentFile[];
  /** Of the solution that is wrong in one point. */
  readonly almostRight: readonly ContentFile[];
  /** The build context without its Skills. */
  readonly context: readonly ContentFile[];
  /** Folders of the task, relative to it, that hold a history of git. */
  readonly repositories: readonly string[];
  readonly skills: readonly SkillContent[];
}
