import { z } from 'zod';

/** The head of a SKILL.md as the Agent Skills specification has it. Our reader is more lenient: see markdown-head.ts. */
export const SkillHead = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .describe('The same as the name of the folder.'),
  description: z.string().min(1).max(1024).describe('What the Skill does and when to use it.'),
  license: z.string().optional(),
  compatibility: z.string().max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  'allowed-tools': z.string().optional(),
});

/** The keys that the specification names. */
export const HEAD_KEYS: readonly string[] = Object.keys(SkillHead.shape);
