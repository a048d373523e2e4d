import { z } from 'zod';

/** What task ids, harness ids and configuration names may look like in a file. */
const TASK_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9_-])?$/;
const FOLDER_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const DOTTED_NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/;

/** A task's id: the name of its folder. Letters, digits, `_`, `-` and inner dots (`windows-3.11`), at most 100 characters. */
export const TaskId = z
  .string()
  .max(100, 'a task id has at most 100 characters')
  .regex(
    TASK_NAME,
    'a task id has letters, digits, "-", "_" and inner dots only, and starts with a letter or digit: rename the folder',
  )
  .brand<'TaskId'>();
export type TaskId = z.infer<typeof TaskId>;

/** Name of a condition, one level of the treatment. */
export const ConditionName = z.enum(['no-skills', 'with-skills']);
export type ConditionName = z.infer<typeof ConditionName>;

/** Name of a harness: its folder under `harnesses/`. */
export const HarnessId = z
  .string()
  .max(60)
  .regex(
    FOLDER_NAME,
    'a harness id has letters, digits, "-" and "_" only\nwrite the name of a folder in harnesses/',
  );
export type HarnessId = z.infer<typeof HarnessId>;

/** Name of a configuration (harness x model x settings), the row of a leaderboard. */
export const ConfigurationName = z
  .string()
  .max(100)
  .regex(
    DOTTED_NAME,
    'a configuration name has letters, digits and "._@+-" only\nwrite such a name, or leave it out',
  )
  .brand<'ConfigurationName'>();
export type ConfigurationName = z.infer<typeof ConfigurationName>;

/** Name of a run: its folder under `runs/`. Lower case so that it also names engine objects. */
export const RunId = z
  .string()
  .max(80, 'a run id has at most 80 characters')
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'a run id has lower-case letters, digits and "._-" only')
  .brand<'RunId'>();
export type RunId = z.infer<typeof RunId>;

/** `<task>/<condition>/<index>/<configuration>`: the same in reports, JUnit, the command line and folder names. */
export const TrialId = z
  .string()
  .regex(/^[^/]+\/[^/]+\/\d+\/[^/]+$/)
  .brand<'TrialId'>();
export type TrialId = z.infer<typeof TrialId>;

/** A content address: `sha256:` and 64 hex digits. */
export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export type Digest = z.infer<typeof Digest>;
