import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** `sha256:<64 hex digits>` of bytes or of a string's UTF-8 form. */
export function digestBytes(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** `sha256:<hex>` of a value's canonical JSON. */
export function digestValue(value: unknown): string {
  return digestBytes(canonicalJson(value));
}

/** The first twelve hex digits, for names and tables. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12);
}
