import { z } from 'zod';
import { Digest, TaskId } from './ids.ts';
import { Skill } from './skill.ts';

/** The eight SkillsBench domains; imported tasks may carry others. */
export const DOMAINS = [
  'natural-science',
  'media-and-content-production',
  'cybersecurity',
  'software-engineering',
  'mathematics-and-operations-research',
  'office-and-white-collar',
  'finance-and-economics',
  'industrial-and-physical-systems',
] as const;

/** Which network a container gets. `none`: loopback only, and the model gateway where the harness needs one. */
export const NetworkPolicy = z.enum(['none', 'internet']);
export type NetworkPolicy = z.infer<typeof NetworkPolicy>;

/** The agent's network: `allowlist` reaches the task's `allowHosts` through the gateway's proxy and nothing else. */
export const AgentNetworkPolicy = z.enum([...NetworkPolicy.options, 'allowlist']);
export type AgentNetworkPolicy = z.infer<typeof AgentNetworkPolicy>;

/** Minutes that the work takes people by the author's judgement; nothing is measured or limited by them. */
export const TimeEstimates = z.strictObject({
  /** Somebody who does such work every week. */
  expertMinutes: z.number().positive().optional(),
  /** Somebody new to the profession, who has to look things up. */
  juniorMinutes: z.number().positive().optional(),
});
export type TimeEstimates = z.infer<typeof TimeEstimates>;

/** What a task says about itself; open for imported tasks, closed words for native ones. */
export const TaskMetadata = z.strictObject({
  title: z.string(),
  domain: z.string(),
  capability: z.string(),
  difficulty: z.string(),
  tags: z.array(z.string()),
  estimates: TimeEstimates.optional(),
});
export type TaskMetadata = z.infer<typeof TaskMetadata>;

/** The container a task wants. Limits are the wish; the run clamps them to the host and records both. */
export const TaskEnvironment = z.strictObject({
  /** Host folder that is the build context. */
  contextDir: z.string(),
  /** Relative to the context. */
  dockerfile: z.string(),
  buildTimeoutMs: z.int().positive(),
  cpus: z.number().positive(),
  memoryBytes: z.int().positive(),
  storageBytes: z.int().positive().optional(),
  pids: z.int().positive(),
  network: AgentNetworkPolicy,
  /** Hosts of `allowlist`, exact or `*.suffix`. */
  allowHosts: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()),
  /** Context path of the Skills that must not be in the image (`skills` in SkillsBench tasks). */
  skillsPath: z.string().optional(),
});
export type TaskEnvironment = z.infer<typeof TaskEnvironment>;

/** How the verdict is made. `outputs`: pristine image plus declared output paths; `snapshot`: the agent's file system. */
export const VerifierSpec = z.strictObject({
  kind: z.enum(['pytest', 'script']),
  testsDir: z.string(),
  timeoutMs: z.int().positive(),
  network: NetworkPolicy,
  isolation: z.enum(['outputs', 'snapshot']),
  /** Absolute container paths taken from the agent's container (isolation `outputs`). */
  outputs: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  /** What skipped tests mean beside passed ones: `allow` ignores them, `fail` makes the verdict failed. */
  skipped: z.enum(['allow', 'fail']),
});
export type VerifierSpec = z.infer<typeof VerifierSpec>;

/** A `solve.sh` with what it needs beside it, run by the `oracle` harness only. */
export const Solution = z.strictObject({
  dir: z.string(),
  env: z.record(z.string(), z.string()),
});
export type Solution = z.infer<typeof Solution>;

/** An instruction, an environment and a verifier, in `tasks/<task-id>/`; both formats load to this one value. */
export const Task = z.strictObject({
  id: TaskId,
  dir: z.string(),
  format: z.enum(['native', 'harbor']),
  /** Over every file that a trial of this task depends on; Skills have their own digests. */
  digest: Digest,
  instruction: z.string(),
  metadata: TaskMetadata,
  environment: TaskEnvironment,
  agent: z.strictObject({
    timeoutMs: z.int().positive(),
    /** User of the agent process; absent: the image's own. */
    user: z.string().optional(),
  }),
  verifier: VerifierSpec,
  solution: Solution.optional(),
  /** A solution that is wrong in one point a careful verifier sees (`almost-right/solve.sh`); `task check` alone runs it. */
  almostRight: Solution.optional(),
  /** The bundles of the with-skills arm. */
  skills: z.array(Skill),
  /** Loose files beside the bundles that Skills refer to (`../reference.md`); they travel with them. */
  looseSkillFiles: z.array(Skill.shape.entries.element),
});
export type Task = z.infer<typeof Task>;
