import { z } from 'zod';
import { Problem } from './problem.ts';

/** What a check of a task or a Skill has to say: a problem, the rule that raised it, and whose it is. */
export const Finding = z.strictObject({
  ...Problem.shape,
  /** The rule's name in kebab case, the same in text, JSON and JUnit, and the anchor of its paragraph in the docs. */
  rule: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** Id of the task, or folder of the Skill, that was checked. */
  subject: z.string(),
  /** How strong the sign is, from 0 to 1, where a rule measures likeness; never a verdict. */
  score: z.number().min(0).max(1).optional(),
});
export type Finding = z.infer<typeof Finding>;
