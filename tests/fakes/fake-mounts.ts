import { type ContainerSpec, EngineError, type VolumeMount } from '../../src/engine/engine.ts';
import { cleanPath, type FakeFile, type FakeFiles, isWithin, removeTree, setFile } from './fake-files.ts';

/** What lies at a mount's target: the volume's own files, by path below it (`/x` for `target/x`). */
export interface FakeMount {
  readonly target: string;
  readonly readOnly: boolean;
  readonly files: FakeFiles;
}

/** Mounts the volumes of a spec and those that the image declares; an empty one takes what the image has at the target, unless told otherwise. */
export function mountVolumes(
  spec: ContainerSpec,
  image: { readonly files: FakeFiles; readonly volumes: readonly string[] },
  volumeFiles: (name: string | undefined) => FakeFiles,
): readonly FakeMount[] {
  const declared = image.volumes.filter((path) => !spec.mounts.some(({ target }) => target === path));
  const own = declared.map((target): VolumeMount => ({ target, readOnly: false, noCopy: false }));
  return [...spec.mounts, ...own].map(({ volume, target, readOnly, noCopy }) => {
    const files = volumeFiles(volume);
    if (files.size === 0 && !noCopy) copyBelow(image.files, target, files);
    return { target, readOnly, files };
  });
}

/** All that is seen inside a container: its own files with the volumes over them. */
export function mountedView(own: FakeFiles, mounts: readonly FakeMount[]): FakeFiles {
  const view: FakeFiles = new Map([...own].filter(([path]) => mountOf(path, mounts) === undefined));
  for (const { target, files } of mounts) {
    for (const [path, file] of files) setFile(view, cleanPath(`${target}${path}`), file);
  }
  return view;
}

/** Sorts a changed view back into the container's own files and its writable volumes. */
export function keepView(view: FakeFiles, own: FakeFiles, mounts: readonly FakeMount[]): void {
  const isOwn = (path: string) => mountOf(path, mounts) === undefined;
  for (const path of [...own.keys()].filter(isOwn)) if (!view.has(path)) own.delete(path);
  for (const [path, file] of view) if (isOwn(path)) setFile(own, path, file);
  for (const { target, files } of mounts.filter(({ readOnly }) => !readOnly)) {
    files.clear();
    copyBelow(view, target, files);
  }
}

/**
 * Sets one entry where it belongs, in place of what is there: only a folder over a folder leaves what is in it.
 * Rejects in a read-only volume, as an engine does.
 */
export function setMounted(
  path: string,
  file: FakeFile,
  { own, mounts }: { readonly own: FakeFiles; readonly mounts: readonly FakeMount[] },
): void {
  const mount = mountOf(path, mounts);
  if (mount === undefined) {
    if (own.get(path)?.kind !== 'folder' || file.kind !== 'folder') removeTree(own, path);
    setFile(own, path, file);
  } else if (mount.readOnly) {
    throw new EngineError('put', 'other', `mounted volume is marked read-only: ${mount.target}`);
  } else {
    setFile(mount.files, path.slice(mount.target.length), file);
  }
}

/** The mount that a path lies in; the target itself belongs to the container. */
function mountOf(path: string, mounts: readonly FakeMount[]): FakeMount | undefined {
  return mounts.find(({ target }) => path !== target && isWithin(path, target));
}

function copyBelow(from: FakeFiles, folder: string, to: FakeFiles): void {
  for (const [path, file] of from) {
    if (path !== folder && isWithin(path, folder)) to.set(path.slice(folder.length), file);
  }
}
