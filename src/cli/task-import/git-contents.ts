import { chmod, mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { execa } from 'execa';
import { type GitCall, gitFailure, gitOptions, gitWords } from './git.ts';
import type { TreeEntry } from './git-tree.ts';

/** Longer targets of links are no paths. */
const LONGEST_TARGET = 4096;

/**
 * Writes the contents of a tree's entries below a folder as git keeps them: no filter, no conversion of line ends. Returns what git
 * has no content for; submodules are never there. Links come last, so that nothing is written through one.
 */
export async function writeGitContents(
  call: GitCall,
  entries: readonly TreeEntry[],
  dir: string,
): Promise<readonly TreeEntry[]> {
  const wanted = entries.filter(({ kind }) => kind !== 'submodule');
  const absent = entries.filter(({ kind }) => kind === 'submodule');
  const links: { readonly path: string; readonly target: string }[] = [];
  const batch = execa('git', gitWords(call, ['cat-file', '--batch', '--buffer']), {
    ...gitOptions(call),
    encoding: 'buffer',
    buffer: { stdout: false },
    input: Readable.from(wanted.map(({ object }) => `${object}\n`)),
  });
  const objects = new ObjectReader(batch.stdout);
  try {
    for (const entry of wanted) {
      const size = await objects.next();
      if (size === undefined) absent.push(entry);
      else if (entry.kind === 'link') links.push({ path: entry.path, target: await objects.text(size) });
      else await writeFile(objects, { entry, size, path: join(dir, entry.path) });
    }
    await batch;
  } catch (error) {
    batch.kill();
    const ended = await batch.catch((failure: unknown) => failure);
    call.signal.throwIfAborted();
    throw isDiskError(error) ? error : gitFailure(ended, 'read the contents of that commit');
  }
  for (const { path, target } of links) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await symlink(target, join(dir, path));
  }
  return absent;
}

function isDiskError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined && !('shortMessage' in Object(error));
}

async function writeFile(
  objects: ObjectReader,
  { entry, size, path }: { readonly entry: TreeEntry; readonly size: number; readonly path: string },
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx');
  try {
    for await (const chunk of objects.content(size)) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
  if (entry.kind === 'executable') await chmod(path, 0o755);
}

/** Reads what `git cat-file --batch` prints: a head line and then so many bytes, for one object after the other. */
class ObjectReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Bytes of the next object's content, which must be taken before the one after it; undefined where git has none. */
  async next(): Promise<number | undefined> {
    let end = this.#left.indexOf(10);
    while (end < 0) {
      await this.#more();
      end = this.#left.indexOf(10);
    }
    const head = this.#left.subarray(0, end).toString('latin1');
    this.#left = this.#left.subarray(end + 1);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(head)?.[1];
    return size === undefined ? undefined : Number(size);
  }

  async *content(size: number): AsyncGenerator<Buffer> {
    let open = size;
    while (open > 0) {
      if (this.#left.length === 0) await this.#more();
      const chunk = this.#left.subarray(0, open);
      this.#left = this.#left.subarray(chunk.length);
      open -= chunk.length;
      yield chunk;
    }
    if (this.#left.length === 0) await this.#more();
    this.#left = this.#left.subarray(1);
  }

  async text(size: number): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.content(size)) chunks.push(chunk);
    return Buffer.concat(chunks).subarray(0, LONGEST_TARGET).toString();
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done === true) throw new Error('git ended before its answer did');
    this.#left = this.#left.length === 0 ? value : Buffer.concat([this.#left, value]);
  }
}
