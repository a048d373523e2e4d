import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { digestValue } from '../base/digest.ts';
import { type ReadEntry, readTar } from '../engine/archive.ts';
import type { Container, PathChange } from '../engine/engine.ts';
import type { Attestation } from '../model/attempt.ts';
import { kindAt } from './kind-at.ts';
import type { PlacedEntry } from './placement.ts';

/** What a container is held against. */
export interface Expected {
  /** Absolute folders in which any known harness would find Skills. */
  readonly discoveryFolders: readonly string[];
  /** Folders into which bundles were put. */
  readonly targets: readonly string[];
  readonly placed: readonly PlacedEntry[];
}

/** Read of a target beyond the bundles' own size; what an agent put there may claim any. */
const SPARE_BYTES = 256 << 20;

/** `path -> "<mode> <digest>"` (folders: `"<mode> folder"`) of bundle content. */
type Found = Map<string, string>;

/**
 * Reads back what a created or stopped container holds and compares it with its condition.
 *
 * The image has been audited whole, once; every way in which a container can differ from its image is in the engine's
 * list of changes. So the two together cover all folders of all harnesses, and the injected bytes are read back and hashed.
 */
export async function attest(
  container: Container,
  state: Expected & { readonly changes: readonly PathChange[] },
  signal: AbortSignal,
): Promise<Attestation> {
  const wanted = new Map(
    state.placed.map((entry) => [entry.containerPath, describe(entry.mode, entry.digest)]),
  );
  const unread: string[] = [];
  const there = await readBack(container, { ...state, unread }, signal);
  const found = new Map([...there].filter(([path]) => wanted.has(path)));
  const strangers = [
    ...strangersAmong(state.changes, state.discoveryFolders, wanted),
    ...(await linksAmong(container, state, signal)),
  ].sort();
  return {
    found: digestValue([...found, ...strangers.map((path) => [path, 'stranger'])]),
    expected: digestValue([...wanted]),
    skillFiles: [...new Set([...found.keys(), ...strangers])].filter(isSkillFile).sort(),
    violations: [
      ...unread.map((path) => `${path}: so large that neither it nor what follows was read`),
      ...differences(wanted, found),
      ...strangers.map((path) => `${path}: not part of the condition`),
    ],
  };
}

/** Changed paths that look like Skills and were not put there by the condition. */
function strangersAmong(
  changes: readonly PathChange[],
  folders: readonly string[],
  wanted: ReadonlyMap<string, string>,
): string[] {
  return changes
    .filter(({ kind, path }) => kind !== 'deleted' && !wanted.has(path) && !isByteCode(path, wanted))
    .map(({ path }) => path)
    .filter((path) => isSkillFile(path) || folders.some((folder) => path.startsWith(`${folder}/`)));
}

/**
 * Links in the place of a discovery folder or of one above it: through them a harness finds what lies elsewhere in the image.
 * Only a change without changes below it can be one, so there is seldom anything to ask the engine.
 */
async function linksAmong(
  container: Container,
  {
    changes,
    discoveryFolders: folders,
  }: Pick<Expected, 'discoveryFolders'> & { changes: readonly PathChange[] },
  signal: AbortSignal,
): Promise<string[]> {
  const parents = new Set(changes.map(({ path }) => posix.dirname(path)));
  const candidates = changes.filter(
    ({ kind, path }) =>
      kind !== 'deleted' &&
      !parents.has(path) &&
      folders.some((folder) => folder === path || folder.startsWith(`${path}/`)),
  );
  const links: string[] = [];
  for (const { path } of candidates) if ((await kindAt(container, path, signal)) === 'link') links.push(path);
  return links;
}

/** What Python keeps of a bundle's script that an agent ran: the mark of a Skill's use, not another Skill. */
function isByteCode(path: string, wanted: ReadonlyMap<string, string>): boolean {
  const folder = /^(.*)\/__pycache__(\/[^/]+\.pyc(\.\d+)?)?$/.exec(path)?.[1];
  return folder !== undefined && wanted.has(folder);
}

function isSkillFile(path: string): boolean {
  return posix.basename(path).toLowerCase() === 'skill.md';
}

function differences(wanted: ReadonlyMap<string, string>, found: Found): string[] {
  return [...wanted].flatMap(([path, is]) => {
    const there = found.get(path);
    if (there === is) return [];
    return [there === undefined ? `${path}: missing` : `${path}: is ${there}, should be ${is}`];
  });
}

/** Every file and folder below the targets, sorted by path; of a target that holds far too much, what comes before the excess. */
async function readBack(
  container: Container,
  { targets, placed, unread }: Pick<Expected, 'targets' | 'placed'> & { readonly unread: string[] },
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = new Map();
  let bytes = placed.reduce((sum, { size }) => sum + size, SPARE_BYTES);
  for (const target of targets) {
    const tar = await container.get(target, signal);
    if (tar === undefined) continue;
    for await (const entry of readTar(tar)) {
      const path = posix.join(posix.dirname(target), entry.path);
      bytes -= entry.size;
      if (bytes < 0) {
        unread.push(path);
        break;
      }
      found.set(path, await describeRead(entry));
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function describeRead(entry: ReadEntry): Promise<string> {
  if (entry.kind === 'folder') return describe(entry.mode, undefined);
  if (entry.kind !== 'file') return `${octal(entry.mode)} ${entry.kind}`;
  const hash = createHash('sha256');
  for await (const chunk of entry.content) hash.update(chunk as Uint8Array);
  return describe(entry.mode, `sha256:${hash.digest('hex')}`);
}

function describe(mode: number, digest: string | undefined): string {
  return `${octal(mode)} ${digest ?? 'folder'}`;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8);
}
