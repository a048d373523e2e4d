import { z } from 'zod';
import { parseByteSize } from './byte-size.ts';

const Seconds = z.number().positive().max(2_000_000);
const Env = z.record(z.string(), z.string());
const Megabytes = z.number().positive();
const SizeText = z
  .string()
  .refine((text) => (parseByteSize(text) ?? 0) > 0, 'must be a size such as "512M" or "2G"');
const NetworkMode = z.enum(['public', 'no-network', 'allowlist']);
const User = z.union([z.string(), z.int()]);
const ofPhase = { network_mode: NetworkMode.optional(), allowed_hosts: z.array(z.string()).optional() };

/**
 * `task.toml` of the SkillsBench / Harbor layout, old and new: every key that is known there, supported here or not.
 * Tables are open: other keys are kept out and warned of, but for `task`, `metadata` and `reward`, which are free.
 */
export const HarborFile = z.looseObject({
  version: z.union([z.string(), z.number()]).optional(),
  schema_version: z.union([z.string(), z.number()]).optional(),
  source: z.string().optional(),
  task: z.looseObject({ id: z.string().optional(), name: z.string().optional() }).optional(),
  metadata: z.looseObject({}).default({}),
  agent: z.looseObject({ timeout_sec: Seconds.optional(), user: User.optional(), ...ofPhase }).prefault({}),
  verifier: z
    .looseObject({
      timeout_sec: Seconds.default(600),
      env: Env.default({}),
      user: User.optional(),
      environment_mode: z.string().optional(),
      ...ofPhase,
    })
    .prefault({}),
  solution: z.looseObject({ env: Env.default({}) }).prefault({}),
  environment: z
    .looseObject({
      build_timeout_sec: Seconds.default(600),
      cpus: z.number().positive().default(1),
      memory_mb: Megabytes.optional(),
      memory: SizeText.optional(),
      storage_mb: Megabytes.optional(),
      storage: SizeText.optional(),
      gpus: z.number().nonnegative().default(0),
      gpu_types: z.array(z.string()).optional(),
      allow_internet: z.boolean().default(true),
      docker_image: z.string().optional(),
      image: z.string().optional(),
      os: z.string().optional(),
      workdir: z.string().optional(),
      skills_dir: z.string().optional(),
      mcp_servers: z.array(z.unknown()).default([]),
      healthcheck: z.unknown().optional(),
      env: Env.default({}),
      ...ofPhase,
    })
    .prefault({}),
  reward: z.looseObject({}).optional(),
  steps: z.array(z.unknown()).default([]),
  multi_step_reward_strategy: z.unknown().optional(),
  artifacts: z.array(z.unknown()).default([]),
});
export type HarborFile = z.infer<typeof HarborFile>;
