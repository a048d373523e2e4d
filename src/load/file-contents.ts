import { lstat, readFile } from 'node:fs/promises';
import { digestBytes } from '../base/digest.ts';
import { fileDigest } from '../base/file-digest.ts';

/** Digest of a file of so many bytes. */
export type DigestOf = (path: string, size: number) => Promise<string>;

/** Larger files are data: nobody reads them as text. */
const LARGEST_TEXT = 512 * 1024;

/** What a check wants of one file. */
export interface FileContent {
  readonly size: number;
  /** Of its bytes. */
  readonly digest: string;
  /** Its text, where it is UTF-8 without NUL and not too large to be written by hand. */
  readonly text?: string;
}

/**
 * Reads files once, for their digests and for their texts, whoever asks first. Holds the texts, so it is made for one task and let go
 * with it; what changes meanwhile is seen as it was.
 */
export class FileContents {
  readonly #known = new Map<string, Promise<FileContent>>();

  readonly digestOf: DigestOf = async (path, size) => (await this.read(path, size)).digest;

  /** `size`: where the caller has it already. Rejects with the file system's error. */
  read(path: string, size?: number): Promise<FileContent> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const reading = readOnce(path, size);
    this.#known.set(path, reading);
    return reading;
  }
}

async function readOnce(path: string, told: number | undefined): Promise<FileContent> {
  const size = told ?? (await lstat(path)).size;
  if (size > LARGEST_TEXT) return { size, digest: await fileDigest(path, size) };
  const bytes = await readFile(path);
  const text = textOf(bytes);
  return { size, digest: digestBytes(bytes), ...(text === undefined ? {} : { text }) };
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
