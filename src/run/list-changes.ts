import { posix } from 'node:path';
import { packTar } from '../engine/archive.ts';
import { type Container, EngineError, type PathChange } from '../engine/engine.ts';
import type { ImageIndex } from '../image/image-tree.ts';
import type { Notice } from '../model/attempt.ts';
import { UnverifiableWork } from './unverifiable-work.ts';
import { volumeChanges } from './volume-changes.ts';

/** Where a path that is too long to be walked is cut, in bytes, goal by goal: the first spares all that could be anybody's work. */
const CUT_BYTES = [2048, 1024, 512, 256, 128, 64, 32, 16];

/**
 * All that a stopped container holds otherwise than its image: the engine's list, and what it leaves out, the image's volumes.
 *
 * The engine gives no list at all where a path is longer than a path may be. Such a branch is cut off in the container, which is
 * noticed: an agent must not void its trial by it. Throws {@link UnverifiableWork} where cutting does not help.
 */
export async function listChanges(
  container: Pick<Container, 'changes' | 'get' | 'put'>,
  from: {
    readonly index: ImageIndex;
    readonly volumes: readonly string[];
    /** Most that a volume may hold. */
    readonly limitBytes: number;
    readonly notice: (notice: Notice) => void;
  },
  signal: AbortSignal,
): Promise<PathChange[]> {
  const cut: string[] = [];
  for (const goal of CUT_BYTES) {
    const listed = await tryList(container, signal);
    if (!(listed instanceof EngineError)) {
      if (cut.length > 0) from.notice(noticeOf(cut));
      return [...listed, ...(await volumeChanges(container, from, signal))];
    }
    const branch = branchToCut(listed.message, { index: from.index, goal });
    if (branch === undefined) throw unlistable(listed);
    await cutOff(container, branch, signal);
    cut.push(branch);
  }
  throw unlistable(undefined);
}

async function tryList(
  container: Pick<Container, 'changes'>,
  signal: AbortSignal,
): Promise<readonly PathChange[] | EngineError> {
  try {
    return await container.changes(signal);
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'too-deep') return error;
    throw error;
  }
}

function noticeOf(cut: readonly string[]): Notice {
  const paths = cut.map((path) => (path.length > 200 ? `${path.slice(0, 200)}…` : path));
  return { code: 'cut-off', detail: 'folders nested too deep to be read were cut off', paths };
}

function unlistable(cause: EngineError | undefined): UnverifiableWork {
  const detail =
    'the agent left folders nested so deep, and so many, that the engine cannot list what is in its container';
  return new UnverifiableWork('too-deep', detail, { cause });
}

/** The engine names the host's path of what it could not read. Nothing of the image is cut; of the rest, as little as the goal allows. */
function branchToCut(
  message: string,
  { index, goal }: { readonly index: Pick<ImageIndex, 'entries'>; readonly goal: number },
): string | undefined {
  const path = /\/merged(\/.*): file name too long\s*$/s.exec(message)?.[1];
  if (path === undefined) return undefined;
  const names = path.split('/').slice(1);
  const prefixes = names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`);
  const own = prefixes.filter((prefix) => !index.entries.has(prefix));
  return own.filter((prefix) => Buffer.byteLength(prefix) <= goal).at(-1) ?? own[0];
}

/** A plain file over a folder: the engine removes the folder with all that is in it. */
async function cutOff(container: Pick<Container, 'put'>, path: string, signal: AbortSignal): Promise<void> {
  const file = { path: path.slice(1), kind: 'file', mode: 0o600, uid: 0, gid: 0 } as const;
  await container.put(packTar([{ ...file, content: new Uint8Array() }]), posix.sep, signal);
}
