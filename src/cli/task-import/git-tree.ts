import { InputError } from '../../model/problem.ts';
import { type GitCall, git } from './git.ts';

/** One line of a tree. */
export interface TreeEntry {
  /** From the root of the repository. */
  readonly path: string;
  readonly kind: 'file' | 'executable' | 'link' | 'submodule';
  readonly object: string;
}

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '100644': 'file',
  '100664': 'file',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
};

/** All files of a commit, by name alone: their contents need not be there. Throws InputError for a name that could lead out of a folder. */
export async function readGitTree(call: GitCall, commit: string): Promise<readonly TreeEntry[]> {
  const listed = await git(
    call,
    ['ls-tree', '-r', '-z', '--full-tree', commit],
    'list the files of that commit',
  );
  const entries: TreeEntry[] = [];
  for (let at = 0; at < listed.length; ) {
    const end = listed.indexOf(0, at);
    const line = listed.subarray(at, end < 0 ? listed.length : end);
    at = end < 0 ? listed.length : end + 1;
    entries.push(entryOf(line));
  }
  return entries;
}

function entryOf(line: Uint8Array): TreeEntry {
  const tab = line.indexOf(9);
  const [mode = '', , object = ''] = Buffer.from(line.subarray(0, tab)).toString('latin1').split(' ');
  const path = pathOf(line.subarray(tab + 1));
  return { path, kind: KINDS[mode] ?? 'file', object };
}

function pathOf(bytes: Uint8Array): string {
  const path = Buffer.from(bytes).toString();
  const isText = Buffer.from(path).equals(bytes);
  const isInner = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (isText && isInner) return path;
  const why = isText ? 'leads out of its folder' : 'is not UTF-8';
  const message = `the repository holds a name that ${why}: ${JSON.stringify(path)}`;
  throw new InputError([{ severity: 'error', message, repair: 'nothing of it is imported' }]);
}
