import { z } from 'zod';

/** A place in a user's file. Line and column start at 1. */
export const Place = z.strictObject({
  file: z.string(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
});
export type Place = z.infer<typeof Place>;

/** Something the user wrote wrong: what, where, and how to mend it. All are collected before anything is printed. */
export const Problem = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  where: Place.optional(),
  /** What to do about it, in one sentence. */
  repair: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

/** True when something in the list forbids going on. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** Bad input, met after loading (a flag, a run that cannot be resumed): carries its problems to the one printer. */
export class InputError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map((problem) => problem.message).join('; '), options);
    this.name = 'InputError';
    this.problems = problems;
  }
}
