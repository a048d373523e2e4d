import { createReadStream } from 'node:fs';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { extract, pack } from 'tar-stream';

/** One entry to be packed. Paths are relative, `/` between parts. */
export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes, or a host file of exactly `size` bytes that is streamed. Files only. */
  readonly content?: Uint8Array | { readonly hostPath: string; readonly size: number };
  /** Links only. */
  readonly target?: string;
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
  readonly content: Readable;
}

const EPOCH = new Date(0);
const TYPES = { file: 'file', folder: 'directory', link: 'symlink' } as const;

/** A tar whose bytes depend on the entries alone: their order, the epoch as time, no names of users. */
export function packTar(entries: Iterable<TarEntry>): Readable {
  const tar = pack();
  const out = new PassThrough();
  pipeline(tar as unknown as NodeJS.ReadableStream, out, () => undefined);
  fill(tar, entries).then(
    () => tar.finalize(),
    (error: Error) => out.destroy(error),
  );
  return out;
}

async function fill(tar: ReturnType<typeof pack>, entries: Iterable<TarEntry>): Promise<void> {
  for (const entry of entries) await addEntry(tar, entry);
}

function addEntry(tar: ReturnType<typeof pack>, entry: TarEntry): Promise<void> {
  const { content } = entry;
  const streamed = content !== undefined && 'hostPath' in content;
  const size = content === undefined ? 0 : streamed ? content.size : content.byteLength;
  const header = {
    name: entry.path,
    type: TYPES[entry.kind],
    mode: entry.mode,
    uid: entry.uid,
    gid: entry.gid,
    mtime: EPOCH,
    size,
    ...(entry.target === undefined ? {} : { linkname: entry.target }),
  };
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    if (!streamed) {
      const bytes = content === undefined ? Buffer.alloc(0) : Buffer.from(content);
      if (entry.kind === 'file') tar.entry(header, bytes, done);
      else tar.entry(header, done);
      return;
    }
    const sink = tar.entry(header, done);
    createReadStream(content.hostPath).on('error', done).pipe(sink);
  });
}

/** Reads a tar entry by entry with flat memory. Paths lose a leading `./` and a trailing `/`. */
export async function* readTar(tar: Readable): AsyncGenerator<ReadEntry> {
  const entries = extract();
  tar.on('error', (error) => entries.destroy(error));
  tar.pipe(entries);
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
      content: entry as unknown as Readable,
    };
    entry.resume();
  }
}

function kindOf(type: string | null | undefined): ReadEntry['kind'] {
  if (type === 'file' || type === 'contiguous-file') return 'file';
  if (type === 'directory') return 'folder';
  if (type === 'symlink') return 'link';
  return type === 'link' ? 'hard-link' : 'other';
}
