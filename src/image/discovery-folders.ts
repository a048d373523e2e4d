import { posix } from 'node:path';
import type { Discovery } from '../model/harness.ts';
import { folderIn, type Variables } from './agent-environment.ts';
import type { ImageIndex } from './image-tree.ts';

/** Where harnesses look, given a container's homes and the agent's working directory. */
export interface DiscoveryPlace {
  readonly discovery: Discovery;
  /** Absolute container paths. */
  readonly homes: readonly string[];
  /** Absolute; it and all its parents are looked in. */
  readonly workingDir: string;
  /** Whole environments that an agent may get, one by one: they move homes and folders of settings. */
  readonly environments: readonly Variables[];
}

/** Where single programs keep their settings (CODEX_HOME, CLAUDE_CONFIG_DIR and the like): Skills lie right below. */
const SETTINGS_FOLDER = /._(HOME|CONFIG_DIR)$/;
const CONFIG = '.config/';

/** Every folder in which a harness would find Skills: absolute, sorted, each once. They need not exist. */
export function discoveryFolders({ discovery, homes, workingDir, environments }: DiscoveryPlace): string[] {
  const moved = environments.flatMap((variables) => folderIn(variables, 'HOME') ?? []);
  const folders = [
    ...[...homes, ...moved].flatMap((home) =>
      discovery.home.map((folder) => posix.resolve('/', home, folder)),
    ),
    ...environments.flatMap((variables) => settingsFolders(variables, discovery)),
    ...withParents(workingDir).flatMap((above) =>
      discovery.project.map((folder) => posix.resolve(above, folder)),
    ),
    ...discovery.system.map((folder) => posix.resolve('/', folder)),
  ];
  return [...new Set(folders)].sort();
}

function settingsFolders(variables: Variables, discovery: Discovery): string[] {
  const own = Object.keys(variables)
    .filter((name) => SETTINGS_FOLDER.test(name))
    .flatMap((name) => folderIn(variables, name) ?? [])
    .map((folder) => posix.join(folder, 'skills'));
  const config = folderIn(variables, 'XDG_CONFIG_HOME');
  if (config === undefined) return own;
  const shared = discovery.home.filter((folder) => folder.startsWith(CONFIG));
  return [...own, ...shared.map((folder) => posix.join(config, folder.slice(CONFIG.length)))];
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
