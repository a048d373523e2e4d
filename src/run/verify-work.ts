import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Container, EngineError, type PathChange } from '../engine/engine.ts';
import { idleContainer } from '../image/image-index.ts';
import type { TaskImage } from '../image/image-store.ts';
import type { Notice } from '../model/attempt.ts';
import type { Verdict } from '../model/verdict.ts';
import { blamingStarts } from './blaming-starts.ts';
import { attemptLabels } from './container-specs.ts';
import { copyVolumes } from './copy-volumes.ts';
import type { GrantedLimits } from './limits.ts';
import { takeOutputs } from './outputs.ts';
import type { KeptPackages } from './packages/package-file.ts';
import {
  clearPackages,
  type SnapshotPackages,
  snapshotPackages,
  withPackages,
} from './packages/snapshot-packages.ts';
import type { PhaseClock } from './phase-clock.ts';
import { planSnapshot } from './plan-snapshot.ts';
import { releasing, releasingImage } from './release.ts';
import { isDeletionMark, type Restoration } from './restoration.ts';
import { restore } from './restore.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import type { TrialFacts } from './trial-facts.ts';
import { UnverifiableWork } from './unverifiable-work.ts';
import { type VerifyInput, verify } from './verify.ts';

/** The agent's stopped container and what it was made from. `lease` removes it. */
export interface Work {
  readonly image: TaskImage;
  readonly limits: GrantedLimits;
  readonly container: Container;
  /** Container paths that were put in before the agent started. */
  readonly injected: ReadonlySet<string>;
  readonly lease: AsyncDisposable;
  readonly facts: TrialFacts;
  readonly clock: PhaseClock;
  /** What of the verifier's packages is there already. */
  readonly packages?: KeptPackages | undefined;
  /** Attests the container a second time and tells what the agent changed. */
  readonly lookAgain: () => Promise<readonly PathChange[]>;
}

/** Verifies what an agent left, in the isolation that the task asks for, and attests its container a second time. */
export async function verifyWork(services: TrialServices, input: AttemptInput, work: Work): Promise<Verdict> {
  const { clock, lookAgain } = work;
  if (input.task.verifier.isolation === 'outputs') {
    return await clock.run('verify', () => verifyOutputs(services, input, work));
  }
  try {
    const changes = await clock.run('check', lookAgain);
    return await clock.run('verify', () => verifySnapshot(services, input, { ...work, changes }));
  } catch (error) {
    if (!(error instanceof UnverifiableWork)) throw error;
    input.notice({ code: error.code, detail: error.message });
    return { passed: false, reward: 0, tests: [] };
  }
}

/** A commit writes all that the agent wrote, holes too, once more to the engine's disk, which is not the agent's to fill. */
async function measureWork(
  input: AttemptInput,
  { container, limits }: Pick<Work, 'container' | 'limits'>,
): Promise<number | undefined> {
  const bytes = await container.writtenBytes(input.stop);
  const limit = limits.storageBytes.granted;
  if (bytes === undefined || bytes <= limit) return bytes;
  const detail = `the agent left ${bytes} bytes, holes counted; of a file system up to ${limit} are copied for a verifier`;
  throw new UnverifiableWork('too-large', detail);
}

/**
 * Pristine image plus the declared outputs. Once these are on the host, the agent's container is looked at again and removed beside
 * the verifier, which has nothing to do with it any more.
 */
async function verifyOutputs(services: TrialServices, input: AttemptInput, work: Work): Promise<Verdict> {
  const { image, limits, facts, clock, packages, lookAgain, lease } = work;
  const outputsTar = await keepOutputs(input, work.container);
  facts.images.verifier = image.id;
  const [looked, verified] = await Promise.allSettled([
    clock.beside('check', lookAgain).finally(() => lease[Symbol.asyncDispose]()),
    verifyRounds(services, input, {
      facts,
      from: { image: image.id, pristine: image.info, limits, outputsTar, packages },
    }),
  ]);
  if (looked.status === 'rejected') noticeUnread(input, looked.reason);
  if (verified.status === 'rejected') throw verified.reason;
  return verified.value;
}

/**
 * An agent can leave what the engine cannot list (folders nested deeper than a path may be long). That must neither void its trial nor
 * save it from failing: the outputs are taken, and what the second look finds never decides. Throws all else that went wrong.
 */
function noticeUnread(input: AttemptInput, error: unknown): void {
  const isAgents = error instanceof UnverifiableWork;
  if (!isAgents && !(error instanceof EngineError && error.kind === 'other')) throw error;
  input.notice({
    code: 'not-attested',
    detail: `what the agent left could not be read back: ${error.message.slice(0, 300)}`,
  });
}

/** Host path of a tar with the declared outputs, which stays as evidence. */
async function keepOutputs(input: AttemptInput, container: Container): Promise<string> {
  const dir = join(input.evidenceDir, 'artifacts');
  await mkdir(dir, { recursive: true });
  const tarPath = join(dir, 'outputs.tar');
  const { outputs } = input.task.verifier;
  const leftOut = await takeOutputs({ container, outputs, tarPath, signal: input.stop });
  if (leftOut.length > 0) {
    const paths = leftOut.map(({ path, why }) => `${path} (${why})`);
    const detail = 'parts of the outputs were not handed to the verifier';
    input.notice({ code: 'outputs-left-out', detail, paths });
  }
  return tarPath;
}

/** The agent's file system as a temporary image, with interpreter and start-up files put right before anything runs. */
async function verifySnapshot(
  services: TrialServices,
  input: AttemptInput,
  work: Work & { readonly changes: readonly PathChange[] },
): Promise<Verdict> {
  const { image, limits, container, facts } = work;
  const labels = attemptLabels(services, input, 'snapshot');
  const writtenBytes = await measureWork(input, work);
  const { host } = services;
  const { instruction } = input.task;
  const planned = planSnapshot(container, { ...work, writtenBytes, host, instruction }, input.stop);
  // Beside the commit: neither changes what the other reads.
  planned.catch(() => undefined);
  const snapshot = await container.commit(labels, input.stop).catch((error: unknown) => {
    throw markedWork(error, work.changes);
  });
  await using _snapshot = releasingImage(services.engine, snapshot, input.leftBehind);
  facts.images.verifier = snapshot;
  const apart = await snapshotPackages({ ...work, task: input.task, agent: container }, input.stop);
  const plan = withPackages(await planned, apart.reset);
  const prepare = (verifier: Container) =>
    putRight(services, input, { plan, apart, image, verifier, agent: container });
  const from = {
    ...{ image: snapshot, pristine: image.info, limits, emptyFirst: plan.empty },
    ...{ env: apart.env, packages: work.packages, prepare },
  };
  return await blamingStarts(services, input, {
    image: image.id,
    verify: () => verifyRounds(services, input, { facts, from }),
  });
}

/** A commit that fails where the agent made files by whose names layers say that something is gone. */
function markedWork(error: unknown, changes: readonly PathChange[]): unknown {
  const mark = changes.find(isDeletionMark);
  if (mark === undefined || !(error instanceof EngineError) || error.kind !== 'other') return error;
  const detail = `the agent made ${mark.path}, which the engine cannot keep: ${error.message}`;
  return new UnverifiableWork('unusable-names', detail, { cause: error });
}

/** Verifies as often as is asked for. The first verdict is the trial's; further ones are kept beside it. */
async function verifyRounds(
  services: TrialServices,
  input: AttemptInput,
  { facts, from }: { readonly facts: TrialFacts; readonly from: Omit<VerifyInput, 'round'> },
): Promise<Verdict> {
  const { packages } = from;
  if (packages !== undefined) {
    const { digest, bytes, files } = packages;
    facts.packages = { digest, bytes, files };
  }
  const verdict = await verify(services, input, { ...from, round: 1 });
  for (let round = 2; round <= input.verifications; round++) {
    const again = await verify(services, input, { ...from, round });
    facts.repeatedVerdicts = [...(facts.repeatedVerdicts ?? []), again];
  }
  return verdict;
}

interface Repair {
  readonly agent: Container;
  readonly plan: Restoration;
  readonly apart: SnapshotPackages;
  readonly image: TaskImage;
  readonly verifier: Container;
}

async function putRight(services: TrialServices, input: AttemptInput, repair: Repair): Promise<Notice[]> {
  const { plan, apart, image, verifier, agent } = repair;
  const volumes = { volumes: image.info.volumes, caches: apart.caches };
  const copied = await copyVolumes({ agent, verifier }, volumes, input.stop);
  const emptied = await clearPackages(verifier, apart, input.stop);
  const restored = await restore({
    plan,
    snapshot: verifier,
    signal: input.stop,
    withPristine: async (use) => {
      const labels = attemptLabels(services, input, 'pristine');
      const spec = { ...idleContainer(image.id, 'pristine'), labels };
      const pristine = await services.engine.createContainer(spec, input.stop);
      await using _pristine = releasing(pristine, input.leftBehind);
      await use(pristine);
    },
  });
  return [...copied, ...emptied, ...restored];
}
