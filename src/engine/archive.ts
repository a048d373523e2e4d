import { createReadStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { pipeline as pipelineDone } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';

/** One entry to be packed. Paths are relative, `/` between parts. */
export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hard-link';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes, or exactly `size` bytes that are streamed from a host file or from another tar's entry. Files only. */
  readonly content?:
    | Uint8Array
    | { readonly hostPath: string; readonly size: number }
    | { readonly stream: Readable; readonly size: number };
  /** Links only; of a hard link the path of an entry before it in the same tar. */
  readonly target?: string;
  /** Absent: the epoch. */
  readonly modified?: Date;
}

/** One entry read from a tar. `content` must be consumed or resumed before the next entry comes. */
export interface ReadEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hard-link' | 'other';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly target: string | undefined;
  readonly modified: Date;
  readonly content: Readable;
}

type Pack = ReturnType<typeof pack>;
/** Entries in order; an asynchronous source is asked for the next one only when the last is packed. */
type TarEntries = Iterable<TarEntry> | AsyncIterable<TarEntry>;

/** Bytes up to which a host file is held in memory at once. */
const READ_WHOLE = 1024 * 1024;
/** Bytes up to which it is read without letting go of the thread. */
const READ_AT_ONCE = 64 * 1024;
const EPOCH = new Date(0);
const TYPES = { file: 'file', folder: 'directory', link: 'symlink', 'hard-link': 'link' } as const;
/** The library takes mode 0 for "none given"; this bit makes it a number and is not written. */
const MODE_GIVEN = 0o100_000;

/**
 * A tar whose bytes depend on the entries alone: their order, the epoch as time where they give none, no names of users. Fails with the
 * entry's path when a host file has gone, cannot be read or has not the size it should have.
 */
export function packTar(entries: TarEntries): Readable {
  const tar = pack();
  // Its failures reach the reader through `out`; without a listener, a reader that stops early would end the process.
  tar.on('error', () => undefined);
  const out = new PassThrough();
  pipeline(tar as unknown as NodeJS.ReadableStream, out, () => undefined);
  fill(tar, entries).then(
    () => tar.finalize(),
    (error: Error) => {
      out.destroy(error);
      tar.destroy();
    },
  );
  return out;
}

async function fill(tar: Pack, entries: TarEntries): Promise<void> {
  for await (const entry of entries) await addEntry(tar, entry);
}

function addEntry(tar: Pack, entry: TarEntry): Promise<void> {
  const { content } = entry;
  if (content === undefined || content instanceof Uint8Array) return addBytes(tar, entry, content);
  if ('hostPath' in content && content.size <= READ_WHOLE) return addSmallFile(tar, entry, content);
  const source = 'stream' in content ? content.stream : createReadStream(content.hostPath);
  return new Promise((resolve, reject) => {
    const sink = tar.entry(header(entry, content.size), (error) => (error ? reject(error) : resolve()));
    pipelineDone(exactly(entry.path, source, content.size), sink.on('error', reject)).catch(reject);
  });
}

/** A file that is read whole: for a bundle of many small ones, streams take several times as long. */
async function addSmallFile(
  tar: Pack,
  entry: TarEntry,
  { hostPath, size }: { readonly hostPath: string; readonly size: number },
): Promise<void> {
  const bytes = await bytesOf(hostPath, size).catch((cause: Error) => {
    throw new Error(`cannot pack ${entry.path}: ${cause.message}`, { cause });
  });
  if (bytes.length !== size) throw sizeChanged(entry.path, size);
  return addBytes(tar, entry, bytes);
}

/** The turns that reading takes by way of other threads are ten times what a few kilobytes take. */
async function bytesOf(path: string, size: number): Promise<Uint8Array> {
  return size <= READ_AT_ONCE ? readFileSync(path) : await readFile(path);
}

function sizeChanged(path: string, size: number): Error {
  return new Error(`cannot pack ${path}: its size changed while it was read (${size} bytes expected)`);
}

/** Passes a content on; fails when it cannot be read, or is longer or shorter than it was when it was measured. */
async function* exactly(path: string, source: Readable, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      seen += chunk.byteLength;
      if (seen > size) break;
      yield chunk;
    }
  } catch (cause) {
    throw new Error(`cannot pack ${path}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  if (seen !== size) throw sizeChanged(path, size);
}

function addBytes(tar: Pack, entry: TarEntry, content: Uint8Array | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    const bytes = Buffer.from(content ?? []);
    const sink =
      entry.kind === 'file'
        ? tar.entry(header(entry, bytes.byteLength), bytes, done)
        : tar.entry(header(entry, 0), done);
    sink.on('error', reject);
  });
}

function header(entry: TarEntry, size: number) {
  return {
    name: entry.path,
    type: TYPES[entry.kind],
    mode: entry.mode | MODE_GIVEN,
    uid: entry.uid,
    gid: entry.gid,
    mtime: entry.modified ?? EPOCH,
    size,
    ...(entry.target === undefined ? {} : { linkname: entry.target }),
  };
}

/**
 * Reads a tar entry by entry with flat memory. Paths lose a leading `./` and a trailing `/`. Throws at a tar that is
 * damaged or ends early. The source is destroyed when the reader stops, wherever that is.
 */
export async function* readTar(tar: Readable): AsyncGenerator<ReadEntry> {
  const entries = extract();
  entries.on('error', () => undefined);
  const torn = makeEndCheck();
  pipeline(tar, torn.watch, entries as unknown as NodeJS.WritableStream, () => undefined);
  try {
    for await (const entry of entries) {
      const { header } = entry;
      yield {
        path: header.name.replace(/^(\.\/)+/, '').replace(/\/+$/, ''),
        kind: kindOf(header.type),
        mode: header.mode ?? 0,
        uid: header.uid ?? 0,
        gid: header.gid ?? 0,
        size: header.size ?? 0,
        target: header.linkname ?? undefined,
        modified: header.mtime ?? EPOCH,
        content: Readable.from(chunksOf(entry as AsyncIterable<Uint8Array>), { objectMode: false }),
      };
      entry.resume();
    }
    if (tar.errored) throw tar.errored;
    torn.check();
  } finally {
    tar.destroy();
  }
}

/** Read through an iterator, a content whose tar broke before its first read rejects; piped, it would wait for ever. */
async function* chunksOf(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* entry;
}

function kindOf(type: string | null | undefined): ReadEntry['kind'] {
  if (type === 'file' || type === 'contiguous-file') return 'file';
  if (type === 'directory') return 'folder';
  if (type === 'symlink') return 'link';
  return type === 'link' ? 'hard-link' : 'other';
}

/** A tar cut between two entries looks whole to the library; only the block of zeros at the end tells. */
function makeEndCheck() {
  const BLOCK = 512;
  let tail = Buffer.alloc(0);
  let total = 0;
  return {
    async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        total += chunk.byteLength;
        tail = Buffer.concat([tail, chunk.subarray(-BLOCK)]).subarray(-BLOCK);
        yield chunk;
      }
    },
    check(): void {
      if (total === 0 || tail.byteLength < BLOCK || tail.some((byte) => byte !== 0)) {
        throw new Error('the tar ends early: its closing block is missing');
      }
    },
  };
}
