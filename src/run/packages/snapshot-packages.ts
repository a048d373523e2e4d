import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { packTar, type TarEntry } from '../../engine/archive.ts';
import type { Container, PathChange } from '../../engine/engine.ts';
import type { TaskImage } from '../../image/image-store.ts';
import type { Notice } from '../../model/attempt.ts';
import type { Task } from '../../model/task.ts';
import { isWithin } from '../is-within.ts';
import { kindAt } from '../kind-at.ts';
import type { Restoration } from '../restoration.ts';
import { removed } from '../restore.ts';
import { agentUser } from '../users.ts';
import { packageFolders, verifierVariables } from './package-folders.ts';
import { type Cleared, type PackageReset, planPackageReset, suspects } from './package-reset.ts';

const ROOT = { uid: 0, gid: 0 };
/** Says nothing by what is in it, and apt opens none that is a link. */
const LOCK = /(^|[/.])lock$/;

/** What is done so that a verifier's installers find nothing of the agent's. */
export interface SnapshotPackages {
  readonly reset: PackageReset;
  /** Package folders that are emptied of what the agent put there. */
  readonly caches: readonly string[];
  /** For the verifier's container: its home by the image's account file, and folders of its own for uv where it needs them. */
  readonly env: Readonly<Record<string, string>>;
  /** A path that nobody can have foreseen. */
  readonly ownFolder: string;
}

/** Looks at what the agent changed in package folders. `agent` is its stopped container. */
export async function snapshotPackages(
  from: {
    readonly task: Task;
    readonly image: TaskImage;
    readonly agent: Container;
    readonly changes: readonly PathChange[];
  },
  signal: AbortSignal,
): Promise<SnapshotPackages> {
  const { task, image, agent, changes } = from;
  const { index, info } = image;
  const variables = verifierVariables(image, task);
  const folders = packageFolders(image, variables);
  const replaced = new Set<string>();
  for (const path of suspects(folders, { changes, index }))
    if ((await kindAt(agent, path, signal)) !== 'folder') replaced.add(path);
  const volumes = info.volumes.map((path) => posix.resolve('/', path));
  const reset = planPackageReset(folders, { changes, index, replaced, volumes });
  const ownFolder = `/opt/skillpair/packages-${randomBytes(12).toString('hex')}`;
  // The engine would look the home up in the snapshot, where the agent may have moved it.
  const { home } = agentUser(image, task.format === 'native' ? '0' : undefined, variables);
  const moved = reset.displaced
    ? { UV_TOOL_DIR: `${ownFolder}/tools`, UV_PYTHON_INSTALL_DIR: `${ownFolder}/python` }
    : {};
  const caches = folders.filter(({ kind }) => kind === 'cache').map(({ path }) => path);
  return { reset, caches, env: { HOME: home, ...moved }, ownFolder };
}

/** A plan of restoration with what the reset needs from the image, and without what it clears as a whole. */
export function withPackages(plan: Restoration, { clear, restore }: PackageReset): Restoration {
  const kept = (path: string) => !clear.some((one) => isWithin(path, one.path));
  return {
    ...plan,
    restore: [...new Set([...plan.restore.filter(kept), ...restore])].sort(),
    remove: plan.remove.filter(kept),
    uninstall: plan.uninstall.filter(kept),
  };
}

/** Takes away what the agent left in package folders. What the image has there is put back afterwards, by the plan of restoration. */
export async function clearPackages(
  snapshot: Container,
  { reset, caches, ownFolder }: SnapshotPackages,
  signal: AbortSignal,
): Promise<Notice[]> {
  const { clear, displaced } = reset;
  const own: TarEntry[] = displaced
    ? [{ path: ownFolder.slice(1), kind: 'folder', mode: 0o777, ...ROOT }]
    : [];
  const entries = [...clear.flatMap(cleared), ...own];
  if (entries.length > 0) await snapshot.put(() => packTar(entries), '/', signal);
  const paths = caches.filter((cache) =>
    clear.some(({ path }) => isWithin(path, cache) || isWithin(cache, path)),
  );
  return [
    ...(paths.length === 0
      ? []
      : [
          {
            code: 'packages-emptied',
            detail: 'what the agent left in caches of packages was taken away',
            paths,
          },
        ]),
    ...(displaced
      ? [
          {
            code: 'packages-apart',
            detail: 'the agent had installed something by uv: the verifier’s uv looks elsewhere',
          },
        ]
      : []),
  ];
}

/** A folder comes after a file, which makes the engine remove what is there with all that is in it. */
function cleared({ path, folder }: Cleared): TarEntry[] {
  if (folder === undefined && !LOCK.test(path)) return [removed(path)];
  if (folder === undefined) return [emptyFile(path, 0o666)];
  return [emptyFile(path, 0o600), { path: path.slice(1), kind: 'folder', ...folder }];
}

function emptyFile(path: string, mode: number): TarEntry {
  return { path: path.slice(1), kind: 'file', mode, ...ROOT, content: new Uint8Array() };
}
