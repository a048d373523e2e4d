import { posix } from 'node:path';
import type { Discovery } from '../model/harness.ts';
import type { ImageIndex } from './image-tree.ts';

/** Where harnesses look, given a container's homes and the agent's working directory. */
export interface DiscoveryPlace {
  readonly discovery: Discovery;
  /** Absolute container paths. */
  readonly homes: readonly string[];
  /** Absolute; it and all its parents are looked in. */
  readonly workingDir: string;
}

/** Every folder in which a harness would find Skills: absolute, sorted, each once. They need not exist. */
export function discoveryFolders({ discovery, homes, workingDir }: DiscoveryPlace): string[] {
  const folders = [
    ...homes.flatMap((home) => discovery.home.map((folder) => posix.resolve('/', home, folder))),
    ...withParents(workingDir).flatMap((above) =>
      discovery.project.map((folder) => posix.resolve(above, folder)),
    ),
    ...discovery.system.map((folder) => posix.resolve('/', folder)),
  ];
  return [...new Set(folders)].sort();
}

function withParents(path: string): string[] {
  const absolute = posix.resolve('/', path);
  return absolute === '/' ? ['/'] : [absolute, ...withParents(posix.dirname(absolute))];
}

/** All homes of an image, whoever the agent will be: root's, those of /etc/passwd, and what stands in /home. */
export function homesOf(index: ImageIndex): string[] {
  const named = index.users.map(({ home }) => home).filter((home) => home.startsWith('/'));
  const inHome = index.list('/home').map((name) => `/home/${name}`);
  return [...new Set(['/root', ...named, ...inHome])].sort();
}
