const MAGIC = 'glibc-ld.so.cache1.1';
const HEADER_BYTES = 48;
const ENTRY_BYTES = 24;

/**
 * What the loader's cache (`/etc/ld.so.cache`) says: pairs of a library's name and the path where it is. Undefined for what is no cache
 * of the GNU C library's present form, which is then not to be believed.
 */
export function readLoaderCache(bytes: Uint8Array): readonly (readonly [string, string])[] | undefined {
  const cache = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (cache.length < HEADER_BYTES || cache.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const count = cache.readUInt32LE(MAGIC.length);
  if (HEADER_BYTES + count * ENTRY_BYTES > cache.length) return undefined;
  const text = (at: number) => cache.toString('utf8', at, Math.max(at, cache.indexOf(0, at)));
  return Array.from({ length: count }, (_, at) => {
    const entry = HEADER_BYTES + at * ENTRY_BYTES;
    return [text(cache.readUInt32LE(entry + 4)), text(cache.readUInt32LE(entry + 8))] as const;
  });
}
