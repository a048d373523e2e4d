import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { InputError } from '../../model/problem.ts';
import { type GitCall, git } from './git.ts';
import { writeGitContents } from './git-contents.ts';
import { readGitTree, type TreeEntry } from './git-tree.ts';
import { type SourceName, withoutPassword } from './source-name.ts';

/** Files to import from, on this machine. Those of a repository go when it is disposed. */
export interface OpenSource extends AsyncDisposable {
  /** A task folder, or a folder of tasks. */
  readonly dir: string;
  /** Nothing that leads out of here is looked at. */
  readonly root: string;
  /** Where it is from; absent for a folder. */
  readonly git?: { readonly repository: string; readonly ref?: string; readonly commit: string };
  /** Files without content, by their path from `root` on. */
  readonly absent: ReadonlyMap<string, TreeEntry>;
}

/** Brings the files of a source here. Rejects with InputError for what git cannot do. */
export async function openSource(
  name: SourceName,
  how: Pick<GitCall, 'env' | 'signal'>,
): Promise<OpenSource> {
  if (name.kind === 'folder') {
    const nothing = { absent: new Map(), [Symbol.asyncDispose]: async () => undefined };
    return { dir: name.dir, root: name.dir, ...nothing };
  }
  await using stack = new AsyncDisposableStack();
  const scratch = await mkdtemp(join(tmpdir(), 'skillpair-import-'));
  stack.defer(() => rm(scratch, { recursive: true, force: true }));
  const call = { ...how, gitDir: join(scratch, 'repository') };
  const found = name.isLocal ? await findLocally(name, call) : await fetchShallow(name, call);
  const entries = await readGitTree(found.call, found.commit);
  // Named like the repository: a task at its root is called so.
  const root = join(scratch, 'files', repositoryName(name.repository));
  await mkdir(root, { recursive: true });
  const wanted = entriesFor(name, entries);
  const absent = await writeGitContents(found.call, wanted, root);
  const kept = stack.move();
  return {
    dir: join(root, name.folder),
    root,
    git: {
      repository: withoutPassword(name.repository),
      ...(name.ref === undefined ? {} : { ref: name.ref }),
      commit: found.commit,
    },
    absent: new Map(absent.map((entry) => [entry.path, entry])),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

type GitSource = Extract<SourceName, { readonly kind: 'git' }>;
type OwnCall = GitCall & { readonly gitDir: string };

/** Objects are read where they are, through a repository of our own: no settings of that one apply, and it may lack some. */
async function findLocally({ repository, ref }: GitSource, call: OwnCall) {
  const ask = async (words: readonly string[]) => {
    const { gitDir: _own, ...there } = call;
    return line(
      await git(there, ['-C', repository, 'rev-parse', ...words], `find ${ref ?? 'HEAD'} in ${repository}`),
    );
  };
  const format = await ask(['--show-object-format']);
  const objects = await ask(['--path-format=absolute', '--git-path', 'objects']);
  const named = await ask(['--verify', '--end-of-options', ref ?? 'HEAD']);
  const { gitDir: _none, ...plain } = call;
  await git(
    plain,
    ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, call.gitDir],
    'begin',
  );
  const own = { ...call, alternates: objects };
  const commit = line(
    await git(own, ['rev-parse', '--verify', `${named}^{commit}`], `read ${ref ?? 'HEAD'}`),
  );
  return { call: own, commit };
}

async function fetchShallow({ repository, ref }: GitSource, call: OwnCall) {
  const { gitDir: _none, ...plain } = call;
  await git(plain, ['init', '--quiet', '--bare', '--template=', call.gitDir], 'begin');
  const how = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules'];
  await git(
    call,
    [...how, '--', repository, ref ?? 'HEAD'],
    `fetch ${ref ?? 'HEAD'} of ${withoutPassword(repository)}`,
  );
  const commit = line(
    await git(call, ['rev-parse', '--verify', 'FETCH_HEAD^{commit}'], `read ${ref ?? 'HEAD'}`),
  );
  return { call, commit };
}

function line(output: Buffer): string {
  return output.toString().trim();
}

function repositoryName(repository: string): string {
  const last = basename(repository.replace(/\/+$/, '').replace(/\/\.git$/, '')).replace(/\.git$/, '');
  return last.replace(/^.*:/, '') || 'repository';
}

/** The folder that was asked for, and the library of Skills that stands beside a folder of tasks. */
function entriesFor({ folder }: GitSource, entries: readonly TreeEntry[]): readonly TreeEntry[] {
  if (folder === '') {
    if (isTaskFolder(entries, '') || taskParents(entries).includes('')) return entries;
    throw notHere(folder, entries);
  }
  if (!isTaskFolder(entries, `${folder}/`) && !taskParents(entries).includes(folder))
    throw notHere(folder, entries);
  const above = folder.split('/');
  const libraries = [1, 2]
    .filter((up) => up <= above.length)
    .map((up) => [...above.slice(0, -up), 'skills'].join('/'));
  return entries.filter(({ path }) => [folder, ...libraries].some((each) => path.startsWith(`${each}/`)));
}

const TASK_FILE = /(?:^|\/)task\.(?:toml|yaml)$/;

function isTaskFolder(entries: readonly TreeEntry[], prefix: string): boolean {
  return entries.some(
    ({ path }) => path.startsWith(prefix) && /^task\.(?:toml|yaml)$/.test(path.slice(prefix.length)),
  );
}

/** Folders that hold task folders, those with most first. */
function taskParents(entries: readonly TreeEntry[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    if (!TASK_FILE.test(path) || !path.includes('/')) continue;
    const parent = path.split('/').slice(0, -2).join('/');
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([parent]) => parent);
}

function notHere(folder: string, entries: readonly TreeEntry[]): InputError {
  const parents = taskParents(entries).slice(0, 5);
  const where = folder === '' ? 'at the root of the repository' : `in ${folder}`;
  const repair =
    parents.length === 0
      ? 'the repository has no task.toml and no task.yaml at all'
      : `name a folder of tasks behind the ref: ${parents.map((each) => `#:${each}`).join(', ')}`;
  return new InputError([{ severity: 'error', message: `there are no tasks ${where}`, repair }]);
}
