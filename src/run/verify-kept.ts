import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { AttemptRecord, Notice } from '../model/attempt.ts';
import type { Configuration } from '../model/configuration.ts';
import type { Harness } from '../model/harness.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Task } from '../model/task.ts';
import type { VerifiedAgain } from '../model/verified-again.ts';
import { grantLimits } from './limits.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import { unscoredFrom } from './unscored.ts';
import { verify } from './verify.ts';

/** What an agent left at another time, with all that verifying it needs. */
export interface KeptWork {
  /** Of the attempt whose work it is. */
  readonly record: AttemptRecord;
  /** Host path of the tar that the attempt kept (isolation `outputs`). */
  readonly outputsTar: string;
  /** As it is now: its tests decide. */
  readonly task: Task;
  readonly configuration: Configuration;
  readonly harness: Harness;
}

/** How kept work is verified. */
interface VerifyKept {
  readonly concurrency: number;
  /** Host folder: streams and reports go below it, by trial. */
  readonly evidenceDir: string;
  readonly stop: AbortSignal;
  readonly leftBehind: (what: string) => void;
}

/**
 * Verifies kept work with the tests that its tasks have now; no agent is started and no record changes. Results in the order of the work.
 * Never rejects for what happens inside a verification; leaves nothing on the engine but what `how.leftBehind` is told.
 */
export async function verifyKept(
  services: TrialServices,
  kept: readonly KeptWork[],
  how: VerifyKept,
): Promise<VerifiedAgain[]> {
  const limit = pLimit(how.concurrency);
  return await Promise.all(kept.map((work) => limit(() => verifyOne(services, work, how))));
}

async function verifyOne(services: TrialServices, work: KeptWork, how: VerifyKept): Promise<VerifiedAgain> {
  const { record, task, configuration, harness } = work;
  const { trial, attempt, outcome, digests } = record;
  const evidenceDir = join(how.evidenceDir, trial.id);
  await mkdir(evidenceDir, { recursive: true });
  const notices: Notice[] = [];
  const input: AttemptInput = {
    ...{ trial, attempt, task, configuration, harness, evidenceDir },
    ...{ stop: how.stop, leftBehind: how.leftBehind, verifications: 1 },
    notice: (notice) => void notices.push(notice),
    inSlot: (work) => work(),
  };
  const now = await outcomeOf(services, input, work.outputsTar);
  const taskChanged = digests.task !== task.digest;
  return { trial: trial.id, attempt, recorded: outcome, now, taskChanged, notices };
}

async function outcomeOf(services: TrialServices, input: AttemptInput, outputsTar: string): Promise<Outcome> {
  const limits = grantLimits(input.task, services.host);
  let phase: 'build' | 'verify' = 'build';
  try {
    const { id, info } = await services.images.taskImage(input.task, input.stop);
    phase = 'verify';
    const from = { image: id, pristine: info, limits, outputsTar, round: 1 };
    return { kind: 'scored', verdict: await verify(services, input, from) };
  } catch (error) {
    return unscoredFrom(error, phase, input.stop.aborted);
  }
}
