import type { Container, EngineInfo, PathChange } from '../engine/engine.ts';
import type { TaskImage } from '../image/image-store.ts';
import { judgeAdded } from './judge-added.ts';
import { protectedPaths } from './protected-paths.ts';
import { shadowsIn } from './python-stand-ins.ts';
import { isTrusted, planRestoration, type Restoration } from './restoration.ts';
import { unlistedChanges } from './unlisted-changes.ts';

/** The one driver of which it is known that its figure of what a container has written covers every copied file. */
const EXACT_DRIVER = 'overlay2';

/**
 * Decides all that must be put right in a snapshot: by the list of changes, by what that list is silent about, and by what some added files
 * hold.
 */
export async function planSnapshot(
  container: Pick<Container, 'get'>,
  from: {
    readonly image: Pick<TaskImage, 'index' | 'info'>;
    readonly injected: ReadonlySet<string>;
    readonly changes: readonly PathChange[];
    readonly writtenBytes: number | undefined;
    /** Of the task: what it names is work. */
    readonly instruction: string;
    readonly host: Pick<EngineInfo, 'storageDriver'>;
  },
  signal: AbortSignal,
): Promise<Restoration> {
  const { image, changes, host } = from;
  const plan = planRestoration(changes, from);
  const paths = protectedPaths(image);
  const known = new Set(plan.restore);
  const [hidden, judged] = await Promise.all([
    unlistedChanges(
      container,
      {
        index: image.index,
        changes,
        isWanted: (path) => !known.has(path) && isTrusted(paths, path),
        volumes: image.info.volumes,
        writtenBytes: host.storageDriver === EXACT_DRIVER ? from.writtenBytes : undefined,
      },
      signal,
    ),
    judgeAdded({ container, changes, paths, index: image.index }, signal),
  ]);
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path);
  const shadows = shadowsIn(image.info.workingDir, { ...from, added, index: image.index });
  return {
    ...plan,
    restore: together(plan.restore, hidden, judged.restore),
    remove: together(plan.remove, judged.remove, shadows),
    uninstall: together(plan.uninstall, judged.uninstall),
    hidden,
  };
}

function together(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort();
}
