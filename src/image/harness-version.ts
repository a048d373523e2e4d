import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import { digestValue } from '../base/digest.ts';
import type { Engine } from '../engine/engine.ts';
import type { MainExit } from '../engine/main-process.ts';
import { Fault } from '../model/fault.ts';
import type { Harness } from '../model/harness.ts';
import { fillPlaceholders } from '../model/placeholders.ts';
import { type Bundle, bundleTarget } from './bundle-volume.ts';
import { idleContainer } from './image-index.ts';
import { literal } from './regexp-literal.ts';

/** Programs that bring a Node or a Python of their own need more than a container that is only looked at. */
const ROOM = { memoryBytes: 1 << 30, pids: 512 };
/** A large program that is read from a cold disk takes its time. */
const TIMEOUT_MS = 60_000;
/** Of what a program said: for messages and records. */
const SAID_LIMIT = 200;

/** A bundle that stands in its volume. */
export interface FilledBundle extends Bundle {
  readonly volume: string;
}

/**
 * What a harness says of its own version, as `versionCommand` prints it in a container with the bundle mounted read-only and
 * without network: the line that holds the manifest's version. Undefined where the manifest names no such command. Asked once per
 * bundle; later answers come from the cache folder. Throws Fault `harness-install-failed` when the version is another one.
 */
export async function readHarnessVersion(
  tools: { readonly engine: Engine; readonly cacheDir: string },
  from: { readonly harness: Harness; readonly bundle: FilledBundle },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { id, version, versionCommand } = from.harness.manifest;
  if (versionCommand === undefined) return undefined;
  const target = bundleTarget(from.bundle);
  const command = versionCommand.map((part) => fillPlaceholders(part, { bundle: target }));
  const key = digestValue({ bundle: from.bundle.digest, command, version });
  const path = join(tools.cacheDir, 'harness-version', `${key.slice('sha256:'.length)}.txt`);
  const cached = await readFile(path, 'utf8').catch(() => undefined);
  if (cached !== undefined) return cached;
  const { exit, said } = await ask(tools.engine, { bundle: from.bundle, command }, signal);
  signal.throwIfAborted();
  const line = lineWith(version, said);
  if (exit.exitCode !== 0 || line === undefined) {
    const asked = `harness ${id}: ${command.join(' ')} must say ${version}`;
    throw new Fault('harness-install-failed', 'build', `${asked}; it ${endOf(exit)} and ${saidOf(said)}`);
  }
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, line);
  return line;
}

async function ask(
  engine: Engine,
  { bundle, command }: { readonly bundle: FilledBundle; readonly command: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly exit: MainExit; readonly said: string }> {
  const { volume } = bundle;
  const mounts = [{ volume, target: bundleTarget(bundle), readOnly: true, noCopy: true }];
  const spec = { ...idleContainer(bundle.image, 'version'), ...ROOM, command, entrypoint: [], mounts };
  await using container = await engine.createContainer(spec, signal);
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-version-'));
  try {
    const [stdoutPath, stderrPath] = [join(dir, 'stdout'), join(dir, 'stderr')];
    const limits = { timeoutMs: TIMEOUT_MS, graceMs: 1000, signal };
    const exit = await container.runMain({ stdoutPath, stderrPath, ...limits });
    const texts = await Promise.all([stdoutPath, stderrPath].map((path) => readFile(path, 'utf8')));
    return { exit, said: texts.join('\n') };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The first line with exactly this version: 1.2 is neither in 1.2.3 nor in 11.2. */
function lineWith(version: string, said: string): string | undefined {
  const exactly = new RegExp(`(?<![\\d.])${literal(version)}(?!\\.?\\d)`);
  const line = said.split('\n').find((each) => exactly.test(each));
  return line?.trim().slice(0, SAID_LIMIT);
}

function endOf({ exitCode, endedBy, signal }: MainExit): string {
  if (endedBy === 'timeout') return `did not end within ${TIMEOUT_MS / 1000} s`;
  return exitCode === null ? `was ended by ${signal}` : `left with exit code ${exitCode}`;
}

function saidOf(said: string): string {
  const text = said.replace(/\s+/g, ' ').trim().slice(0, SAID_LIMIT);
  return text === '' ? 'said nothing' : `said: ${text}`;
}
