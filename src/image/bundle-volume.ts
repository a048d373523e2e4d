import { createHash } from 'node:crypto';
import { join, posix } from 'node:path';
import { digestValue } from '../base/digest.ts';
import { packTar, type ReadEntry, readTar } from '../engine/archive.ts';
import { type Container, type Engine, type ImageId, LABEL } from '../engine/engine.ts';
import { Fault } from '../model/fault.ts';
import { idleContainer } from './image-index.ts';
import { waitForLock } from './wait-for-lock.ts';

/** A bundle: an image whose content at one path is offered to trials as a read-only volume. */
export interface Bundle {
  readonly kind: 'harness' | 'verifier';
  readonly id: string;
  readonly image: ImageId;
  /** Content address of the image's recipe. */
  readonly digest: string;
}

/** Where a bundle's content is, in its image and in every trial. */
export function bundleTarget({ kind, id }: Pick<Bundle, 'kind' | 'id'>): string {
  return kind === 'harness' ? `/opt/skillpair/harness/${id}` : '/opt/skillpair/verifier';
}

/** `skillpair-<kind>-<id>-<16 hex digits>`. */
function bundleVolumeName({ kind, id, digest }: Omit<Bundle, 'image'>): string {
  return `skillpair-${kind}-${id.toLowerCase()}-${digest.replace(/^sha256:/, '').slice(0, 16)}`;
}

/** Written into the volume last: a volume with it was compared with its image, whole. */
const MARKER = '.skillpair-filled';

/**
 * The volume's name, once the volume holds exactly what the image holds at the bundle's path. The engine fills an empty
 * volume when a container is created with it; a volume that a killed process left half-filled is told by its missing
 * marker and made anew. One process at a time.
 */
export async function fillBundleVolume(
  { engine, cacheDir }: { readonly engine: Engine; readonly cacheDir: string },
  bundle: Bundle,
  signal: AbortSignal,
): Promise<string> {
  const volume = bundleVolumeName(bundle);
  await using _lock = await waitForLock(join(cacheDir, 'locks', `${volume}.lock`), signal);
  for (let round = 0; round < 2; round++) {
    await engine.createVolume(volume, labelsOf(bundle), signal);
    if (await isFilled(engine, { bundle, volume }, signal)) return volume;
    await engine.remove({ kind: 'volume', id: volume }, signal);
  }
  const reason = bundle.kind === 'harness' ? 'harness-install-failed' : 'build-failed';
  throw new Fault(
    reason,
    'build',
    `volume ${volume} does not hold what ${bundleTarget(bundle)} of its image holds, even when made anew`,
  );
}

function labelsOf({ kind, id, digest }: Bundle): Readonly<Record<string, string>> {
  return {
    [LABEL.managed]: '1',
    [LABEL.kind]: `${kind}-volume`,
    [LABEL.digest]: digest,
    [LABEL.subject]: id,
  };
}

/** True when the marker is there, or when everything else is and the marker could be set. */
async function isFilled(
  engine: Engine,
  { bundle, volume }: { readonly bundle: Bundle; readonly volume: string },
  signal: AbortSignal,
): Promise<boolean> {
  const target = bundleTarget(bundle);
  const spec = idleContainer(bundle.image, 'fill');
  const mounts = [{ volume, target, readOnly: false, noCopy: false }];
  await using filled = await engine.createContainer({ ...spec, mounts }, signal);
  if ((await markerOf(filled, target, signal)) === bundle.digest) return true;
  await using pristine = await engine.createContainer(idleContainer(bundle.image, 'compare'), signal);
  const expected = await treeDigest(pristine, target, signal);
  if (expected === undefined) throw emptyBundle(bundle);
  if ((await treeDigest(filled, target, signal)) !== expected) return false;
  const content = new TextEncoder().encode(bundle.digest);
  const marker = { path: MARKER, kind: 'file', mode: 0o444, uid: 0, gid: 0, content } as const;
  await filled.put(() => packTar([marker]), target, signal);
  return true;
}

function emptyBundle(bundle: Bundle): Fault {
  const reason = bundle.kind === 'harness' ? 'harness-install-failed' : 'build-failed';
  const target = bundleTarget(bundle);
  return new Fault(
    reason,
    'build',
    `the ${bundle.kind} image of ${bundle.id} has nothing at ${target}: its Dockerfile must put the bundle there`,
  );
}

async function markerOf(
  container: Container,
  target: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const tar = await container.get(posix.join(target, MARKER), signal);
  if (tar === undefined) return undefined;
  let text = '';
  for await (const entry of readTar(tar)) for await (const chunk of entry.content) text += String(chunk);
  return text;
}

/** Over every path with kind, mode, owner and content; undefined for an absent or empty folder. */
async function treeDigest(
  container: Container,
  target: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const tar = await container.get(target, signal);
  if (tar === undefined) return undefined;
  const contents = new Map<string, string>();
  const rows: string[] = [];
  for await (const entry of readTar(tar)) {
    if (entry.kind === 'file') contents.set(entry.path, await contentDigest(entry));
    const below = entry.path.split('/').slice(1).join('/');
    if (below !== '' && below !== MARKER) rows.push(`${below}\0${rowOf(entry, contents)}`);
  }
  return rows.length === 0 ? undefined : digestValue(rows.sort());
}

/** Which of two hard links comes first, and whether they are linked at all, is the copier's business. */
function rowOf(
  { path, kind, mode, uid, gid, target = '' }: ReadEntry,
  contents: ReadonlyMap<string, string>,
): string {
  const isHardLink = kind === 'hard-link';
  const content = contents.get(isHardLink ? target : path) ?? target;
  return [isHardLink ? 'file' : kind, mode & 0o7777, uid, gid, content].join('\0');
}

async function contentDigest({ content }: ReadEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}
