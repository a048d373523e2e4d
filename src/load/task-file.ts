import { z } from 'zod';
import { AgentNetworkPolicy, DOMAINS, NetworkPolicy, TimeEstimates } from '../model/task.ts';
import { ByteSize } from './byte-size.ts';
import { Duration } from './duration.ts';
import { EnvTable } from './env-name.ts';

const Path = z
  .string()
  .regex(
    /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/,
    'must be a path inside environment/, without ".."\nname it from environment/ on, such as Dockerfile',
  );

const ContainerPath = z.string().regex(/^\/(?!(?:.*\/)?\.\.?(?:\/|$))[^/\0][^\0]*$/, {
  error: ({ input }) => `must be an absolute path in the container, without ".."\n${absolute(input)}`,
});

/** Agents work in /workspace, so that is what a relative path is likely to mean. */
function absolute(given: unknown): string {
  const parts = String(given)
    .split('/')
    .filter((part) => part !== '' && !/^\.\.?$/.test(part));
  const meant = parts.length === 0 || String(given).includes('\0') ? 'out' : parts.join('/');
  return `write it from the root on, such as "/workspace/${meant.replace(/^workspace\//, '')}"`;
}

const HostName = z
  .string()
  .regex(
    /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/,
    'must be a host name in lower case, or "*." and a suffix\nwrite it without a scheme, port or path, such as example.org',
  );

const SkillName = z
  .string()
  .regex(
    /^[^./\\\0][^/\\\0]*$/,
    'must be the name of a folder in skills/\nwrite its name alone, without a path',
  );

const Environment = z.strictObject({
  dockerfile: Path.default('Dockerfile').describe('Inside environment/.'),
  buildTimeout: Duration.prefault('10m'),
  cpus: z.number().positive().max(1024).default(1),
  memory: ByteSize.prefault('1GiB'),
  storage: ByteSize.optional(),
  pids: z.int().min(16).max(4_194_304).default(512),
  network: AgentNetworkPolicy.default('none'),
  allowHosts: z.array(HostName).default([]),
  env: EnvTable.default({}),
});

const VerifierEntry = z.strictObject({
  kind: z.enum(['pytest', 'script']).default('pytest'),
  timeout: Duration.prefault('5m'),
  network: NetworkPolicy.default('none'),
  isolation: z.enum(['outputs', 'snapshot']).default('outputs'),
  outputs: z
    .array(ContainerPath)
    .default([])
    .describe('What the agent leaves, needed for isolation outputs.'),
  env: EnvTable.default({}),
  skipped: z.enum(['allow', 'fail']).default('fail'),
});

/** `tasks/<id>/task.yaml`. Durations become milliseconds, sizes bytes. */
export const TaskFile = z.strictObject({
  schemaVersion: z.literal(1),
  title: z.string().min(1),
  domain: z.enum(DOMAINS),
  capability: z.string().min(1),
  difficulty: z.enum(['core', 'extended', 'extreme']),
  tags: z.array(z.string()).default([]),
  estimates: TimeEstimates.optional().describe('Minutes that the work takes people.'),
  skills: z.array(SkillName).default([]),
  environment: Environment.prefault({}),
  agent: z
    .strictObject({ timeout: Duration.prefault('10m'), user: z.string().min(1).default('agent') })
    .prefault({}),
  verifier: VerifierEntry.prefault({}),
  solution: z.strictObject({ env: EnvTable.default({}) }).prefault({}),
});
export type TaskFile = z.infer<typeof TaskFile>;
