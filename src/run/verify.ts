import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packTar, type TarEntry } from '../engine/archive.ts';
import type { Container, ImageId, ImageInfo } from '../engine/engine.ts';
import type { Limits, Notice } from '../model/attempt.ts';
import { Fault } from '../model/fault.ts';
import type { Verdict } from '../model/verdict.ts';
import { verifierSpec } from './container-specs.ts';
import { OUTPUT_LIMIT_BYTES } from './drive-agent.ts';
import { noticeOutputFault } from './output-fault.ts';
import { keptOutputs } from './outputs.ts';
import { type KeptPackages, readPackages } from './packages/package-file.ts';
import { releasing } from './release.ts';
import { fetchReportFiles } from './report-files.ts';
import { onRoomyDisk } from './roomy-disk.ts';
import { textTail } from './text-tail.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import { verifierFiles } from './verifier-files.ts';

const GRACE_MS = 2000;
const TAIL_BYTES = 64 << 10;

/** What the verifier's container is made from and told. */
export interface VerifyInput {
  readonly image: ImageId;
  readonly pristine: Pick<ImageInfo, 'user' | 'env' | 'volumes'>;
  readonly limits: Limits;
  /** Host tar of the agent's outputs, paths relative to `/` (isolation `outputs`). */
  readonly outputsTar?: string;
  /** Puts a snapshot right before anything runs in it (isolation `snapshot`). */
  readonly prepare?: (container: Container) => Promise<Notice[]>;
  /** Which verification of this work it is, from 1. */
  readonly round: number;
  /** Verifier folders that the snapshot brought along and that must start empty. */
  readonly emptyFirst?: readonly string[];
  /** Variables that a snapshot's verifier needs beside its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Packages that it finds as if it had downloaded them; the copy is its own. */
  readonly packages?: KeptPackages | undefined;
}

/**
 * Verifies in a new container: tests are put in only now, reports go to a folder that exists only there, and the verdict
 * comes from the structured report alone. Needs no agent: on kept outputs it can be repeated at any time.
 */
export async function verify(
  services: TrialServices,
  input: AttemptInput,
  from: VerifyInput,
): Promise<Verdict> {
  const { task, stop } = input;
  const { engine, images } = services;
  const nonce = randomBytes(16).toString('hex');
  const verifierVolume = task.verifier.kind === 'pytest' ? await images.verifierVolume(stop) : undefined;
  const spec = verifierSpec(services, input, { ...from, verifierVolume, nonce });
  const container = await engine.createContainer(spec, stop);
  await using _container = releasing(container, input.leftBehind);
  for (const notice of (await from.prepare?.(container)) ?? []) input.notice(notice);
  await container.put(() => packTar(verifierEntries(task.verifier.testsDir, from)), '/', stop);
  if (from.packages !== undefined) await putPackages(container, from.packages, stop);

  const dir = join(input.evidenceDir, from.round === 1 ? 'verifier' : `verifier-${from.round}`);
  await mkdir(dir, { recursive: true });
  const stdoutPath = join(dir, 'stdout.log');
  const run = () =>
    container.runMain({
      stdoutPath,
      stderrPath: join(dir, 'stderr.log'),
      timeoutMs: task.verifier.timeoutMs,
      graceMs: GRACE_MS,
      outputLimitBytes: OUTPUT_LIMIT_BYTES,
      signal: stop,
    });
  const { volumes } = from.pristine;
  const exit = await onRoomyDisk({ container, volumes, freeSpace: services.freeSpace, signal: stop }, run);
  stop.throwIfAborted();
  noticeOutputFault(input, 'verifier', exit);
  const files = await fetchReportFiles(container, { dir: join(dir, 'logs'), notice: input.notice }, stop);
  const outputTail = `${await textTail(stdoutPath, TAIL_BYTES)}\n${await textTail(join(dir, 'stderr.log'), TAIL_BYTES)}`;
  return services.readVerdict[task.verifier.kind]({ spec: task.verifier, exit, files, nonce, outputTail });
}

/** A verifier that has only a part of them does not start. */
async function putPackages(container: Container, packages: KeptPackages, stop: AbortSignal): Promise<void> {
  let damage: Error | undefined;
  const tar = readPackages(packages).on('error', (error) => {
    damage = error;
  });
  await container.put(tar, '/', stop).catch((cause: unknown) => {
    if (damage === undefined) throw cause;
  });
  if (damage === undefined) return;
  const detail = `packages cannot be put in: ${damage.message}; the next run makes them anew`;
  throw new Fault('verifier-error', 'verify', detail, { cause: damage });
}

/** One tar, since each one costs the engine a process: first the outputs, then what the verifier must find whatever the outputs are. */
async function* verifierEntries(testsDir: string, from: VerifyInput): AsyncGenerator<TarEntry> {
  if (from.outputsTar !== undefined) yield* keptOutputs(from.outputsTar);
  yield* await verifierFiles(testsDir, from.emptyFirst ?? []);
}
