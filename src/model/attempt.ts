import { z } from 'zod';
import { GatewayWay } from './gateway-way.ts';
import { Digest, RunId } from './ids.ts';
import { ModelUse } from './model-use.ts';
import { Ending, Outcome, UnscoredReason } from './outcome.ts';
import { Phase } from './phase.ts';
import { Trial } from './trial.ts';
import { Verdict } from './verdict.ts';

/** A limit as wished and as given (clamped to the host). */
const Granted = z.strictObject({ wished: z.number(), granted: z.number() });

/** The limits both containers ran under. */
export const Limits = z.strictObject({
  cpus: Granted,
  memoryBytes: Granted,
  pids: Granted,
  /** What the agent's container may write over its image. Absent in records of before it was held to. */
  storageBytes: Granted.optional(),
  agentTimeoutMs: z.int(),
  verifierTimeoutMs: z.int(),
});
export type Limits = z.infer<typeof Limits>;

/** What attestation found in a container: the Skills that are there, against those that should be. */
export const Attestation = z.strictObject({
  /** Digest over all bundle files found in discovery folders; equal for equal content, whatever the folder. */
  found: Digest,
  expected: Digest,
  /** Container paths of the SKILL.md files found in discovery folders. */
  skillFiles: z.array(z.string()),
  /** Differences by container path; empty when the container holds exactly what its condition says. */
  violations: z.array(z.string()),
});
export type Attestation = z.infer<typeof Attestation>;

/** Why the agent's process ended, as the engine tells it. */
export const AgentResult = z.strictObject({
  ending: Ending,
  exitCode: z.int().nullable(),
  signal: z.string().optional(),
  /** Monotonic, from start to end of the process. */
  durationMs: z.number().nonnegative(),
  /** Which limit fired first, if one did. */
  limit: z.enum(['agent', 'inner', 'run', 'output', 'storage']).optional(),
  stdoutBytes: z.int().nonnegative(),
  stderrBytes: z.int().nonnegative(),
});
export type AgentResult = z.infer<typeof AgentResult>;

/** Whether a stage of a Skill's use was reached; `cannot-tell` where the evidence is blind. */
export const Evident = z.enum(['yes', 'no', 'cannot-tell']);
export type Evident = z.infer<typeof Evident>;

/** What the evidence says of one Skill: its use, and where the evidence goes deeper, how far it came. */
export const SkillUse = z.strictObject({
  skill: z.string(),
  /** `used`: opened, or a script of it run. */
  use: z.enum(['used', 'not-used', 'cannot-tell']),
  /** `harness`: one the program brings along, not the task's. Absent: the task's. */
  origin: z.enum(['task', 'harness', 'unknown']).optional(),
  stages: z
    .strictObject({
      /** In the container, under a folder where this harness looks. */
      staged: Evident,
      /** Named to the model, as the first request shows. */
      listed: Evident,
      /** Opened: the harness's own call, or a read of its files. */
      opened: Evident,
      /** A script of it was run. */
      scriptRun: Evident,
    })
    .optional(),
});
export type SkillUse = z.infer<typeof SkillUse>;

/** Something noticed that does not change the verdict but belongs in the record (a restored interpreter, a planted file). */
export const Notice = z.strictObject({
  code: z.string(),
  detail: z.string(),
  paths: z.array(z.string()).optional(),
});
export type Notice = z.infer<typeof Notice>;

/** `attempt.json`: one go at a trial, whole. Everything reported comes from these. */
export const AttemptRecord = z.strictObject({
  schemaVersion: z.literal(1),
  run: RunId,
  trial: Trial,
  attempt: z.int().positive(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative(),
  phases: z.array(z.strictObject({ phase: Phase, durationMs: z.number().nonnegative() })),
  outcome: Outcome,
  /** Verdicts of further verifications of the same work, where `task check` asked for them; they decide nothing. */
  repeatedVerdicts: z.array(Verdict).optional(),
  agent: AgentResult.optional(),
  /** What the harness's program said of its version, read back from its bundle; absent where it cannot be asked. */
  harnessVersion: z.string().optional(),
  limits: Limits.optional(),
  /** Absent where the attempt needed no gateway, or came not so far. */
  gateway: GatewayWay.optional(),
  /** Image ids: containers are created from these and never from names. */
  images: z.strictObject({ task: z.string().optional(), verifier: z.string().optional() }),
  digests: z.strictObject({
    task: Digest,
    /** Of the instruction's bytes: equal in all arms of a pair. */
    instruction: Digest,
    /** Of the injected bundles together; that of the empty set without Skills. */
    bundle: Digest,
    harness: Digest,
  }),
  /**
   * Packages that were put into the verifier's container, as downloaded before without an agent; equal in all arms of a pair. Absent: none
   * were, and the verifier downloaded what it needed.
   */
  packages: z
    .strictObject({ digest: Digest, bytes: z.int().nonnegative(), files: z.int().nonnegative() })
    .optional(),
  attestation: z.strictObject({ before: Attestation.optional(), after: Attestation.optional() }),
  skillUse: z.array(SkillUse),
  /**
   * What the harness's own output told of a fault, also where the gateway's word went before it. Absent: it told of none, or nobody came
   * to read it.
   */
  harnessFault: z.strictObject({ reason: UnscoredReason, detail: z.string() }).optional(),
  /** As the gateway counted; absent for harnesses that need no model. */
  modelUse: ModelUse.optional(),
  notices: z.array(Notice),
  /** Paths of evidence files, relative to the attempt's folder. */
  evidence: z.array(z.string()),
});
export type AttemptRecord = z.infer<typeof AttemptRecord>;
