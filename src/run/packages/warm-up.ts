import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packTar } from '../../engine/archive.ts';
import type { Container } from '../../engine/engine.ts';
import type { TaskImage } from '../../image/image-store.ts';
import type { Limits } from '../../model/attempt.ts';
import { findInstallFailure } from '../../verifier/install-failure.ts';
import { attemptLabels, verifierSpec } from '../container-specs.ts';
import { OUTPUT_LIMIT_BYTES } from '../drive-agent.ts';
import { releasing } from '../release.ts';
import { textTail } from '../text-tail.ts';
import type { AttemptInput, TrialServices } from '../trial-context.ts';
import { verifierFiles } from '../verifier-files.ts';
import { type KeptPackages, keepPackages, type PackagePlace } from './package-file.ts';
import { packageFolders, verifierVariables } from './package-folders.ts';
import { harvest } from './package-harvest.ts';
import type { PackageNeed } from './package-store.ts';

const GRACE_MS = 2000;
const TAIL_BYTES = 64 << 10;
/** More is not worth the disk, nor the time that each verifier's container would take to get it. */
const LIMITS = { maxBytes: 2 ** 31, maxEntries: 200_000 };

/** The packages of an attempt's verifier, to be asked for of a package store. */
export function packageNeed(
  services: TrialServices,
  input: AttemptInput,
  from: { readonly image: TaskImage; readonly limits: Limits },
): PackageNeed {
  const { task, stop, inSlot } = input;
  const make = (place: PackagePlace) => inSlot(() => warmUp(services, input, { ...from, place }));
  return { task, image: from.image, stop, make };
}

/**
 * Runs a task's verifier once in a container of the task's image in which no agent has ever been, and keeps what it has downloaded. Its
 * verdict is nobody's. Throws when it could not set itself up or did not come to its end: then nothing is kept.
 */
async function warmUp(
  services: TrialServices,
  input: AttemptInput,
  from: { readonly image: TaskImage; readonly limits: Limits; readonly place: PackagePlace },
): Promise<KeptPackages> {
  const { image, limits, place } = from;
  const { task, stop } = input;
  const spec = verifierSpec(services, input, {
    image: image.id,
    pristine: image.info,
    limits,
    verifierVolume: undefined,
    nonce: '',
  });
  const name = `skillpair-warm-up-${randomUUID()}`;
  const labels = attemptLabels(services, input, 'warm-up');
  const container = await services.engine.createContainer({ ...spec, name, labels }, stop);
  await using _container = releasing(container, input.leftBehind);
  await container.put(packTar(await verifierFiles(task.verifier.testsDir, [])), '/', stop);
  await runOnce(container, input);
  const folders = packageFolders(image, verifierVariables(image, task));
  return await keepPackages(place, harvest(container, { folders, limits: LIMITS }, stop));
}

/** That tests fail is as it should be: there is no work to find right. */
async function runOnce(container: Container, { task, stop, evidenceDir }: AttemptInput): Promise<void> {
  const dir = join(evidenceDir, 'warm-up');
  await mkdir(dir, { recursive: true });
  const [stdoutPath, stderrPath] = [join(dir, 'stdout.log'), join(dir, 'stderr.log')];
  const { timeoutMs } = task.verifier;
  const exit = await container.runMain({
    stdoutPath,
    stderrPath,
    timeoutMs,
    graceMs: GRACE_MS,
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    signal: stop,
  });
  stop.throwIfAborted();
  if (exit.exitCode === null)
    throw new Error(`without an agent's work it did not end by itself (${exit.signal})`);
  const tails = await Promise.all([stdoutPath, stderrPath].map((path) => textTail(path, TAIL_BYTES)));
  const failure = findInstallFailure(tails.join('\n'));
  if (failure !== undefined) throw new Error(failure);
}
