import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container, PathChange } from '../engine/engine.ts';
import type { TaskImage } from '../image/image-store.ts';
import type { Limits, Notice } from '../model/attempt.ts';
import type { Verdict } from '../model/verdict.ts';
import { agentSpec, attemptLabels } from './container-specs.ts';
import { takeOutputs } from './outputs.ts';
import { releasing, releasingImage } from './release.ts';
import { planRestoration, type Restoration } from './restoration.ts';
import { restore } from './restore.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import type { TrialFacts } from './trial-facts.ts';
import { verify } from './verify.ts';

/** The agent's stopped container and what it was made from. `lease` removes it. */
export interface Work {
  readonly image: TaskImage;
  readonly limits: Limits;
  readonly container: Container;
  readonly changes: readonly PathChange[];
  /** Container paths that were put in before the agent started. */
  readonly injected: ReadonlySet<string>;
  readonly lease: AsyncDisposable;
  readonly facts: TrialFacts;
}

/** Verifies what an agent left, in the isolation that the task asks for. */
export function verifyWork(services: TrialServices, input: AttemptInput, work: Work): Promise<Verdict> {
  return input.task.verifier.isolation === 'outputs'
    ? verifyOutputs(services, input, work)
    : verifySnapshot(services, input, work);
}

/** Pristine image plus the declared outputs. The agent's container goes while the verifier runs. */
async function verifyOutputs(services: TrialServices, input: AttemptInput, work: Work): Promise<Verdict> {
  const { image, limits, container, facts } = work;
  const dir = join(input.evidenceDir, 'artifacts');
  await mkdir(dir, { recursive: true });
  const outputsTar = join(dir, 'outputs.tar');
  const { outputs } = input.task.verifier;
  const leftOut = await takeOutputs({ container, outputs, tarPath: outputsTar, signal: input.stop });
  if (leftOut.length > 0) {
    const paths = leftOut.map(({ path, why }) => `${path} (${why})`);
    input.notice({
      code: 'outputs-left-out',
      detail: 'parts of the outputs were not handed to the verifier',
      paths,
    });
  }
  facts.images.verifier = image.id;
  const [verdict] = await Promise.all([
    verify(services, input, { image: image.id, pristine: image.info, limits, outputsTar }),
    work.lease[Symbol.asyncDispose](),
  ]);
  return verdict;
}

/** The agent's file system as a temporary image, with interpreter and start-up files put right before anything runs. */
async function verifySnapshot(services: TrialServices, input: AttemptInput, work: Work): Promise<Verdict> {
  const { image, limits, container, changes, injected, facts } = work;
  const labels = attemptLabels(services, input, 'snapshot');
  const snapshot = await container.commit(labels, input.stop);
  await using _snapshot = releasingImage(services.engine, snapshot, input.leftBehind);
  facts.images.verifier = snapshot;
  const plan = planRestoration(changes, { image, injected });
  return await verify(services, input, {
    image: snapshot,
    pristine: image.info,
    limits,
    emptyFirst: plan.empty,
    prepare: (verifier) => putRight(services, input, { plan, image, limits, verifier }),
  });
}

interface Repair {
  readonly plan: Restoration;
  readonly image: TaskImage;
  readonly limits: Limits;
  readonly verifier: Container;
}

async function putRight(services: TrialServices, input: AttemptInput, repair: Repair): Promise<Notice[]> {
  const { plan, image, limits, verifier } = repair;
  return await restore({
    plan,
    snapshot: verifier,
    signal: input.stop,
    withPristine: async (use) => {
      const spec = agentSpec(services, input, { image: image.id, limits, harnessVolume: undefined });
      const name = spec.name.replace(/agent$/, 'pristine');
      const labels = attemptLabels(services, input, 'pristine');
      const pristine = await services.engine.createContainer({ ...spec, name, labels }, input.stop);
      await using _pristine = releasing(pristine, input.leftBehind);
      await use(pristine);
    },
  });
}
