import { cutLine, plainLine, plainText } from './plain-text.ts';

/** Most bytes of a failure's body, and how they are split when something must be left out. */
const BODY_BYTES = 32 * 1024;
const HEAD_BYTES = 8 * 1024;
/** That one UTF-16 unit can take. */
const MOST_UTF8_BYTES = 3;
const LONGEST_MESSAGE = 200;

/** Text for a CDATA section: legal XML 1.0 only, and `]]>` (which would end the section) as `]] >`. */
export function cdataText(text: string): string {
  return plainText(text).replaceAll(']]>', ']] >');
}

/** Text for an attribute that names something: legal XML 1.0 only. {@link attributeMarkup} escapes the rest. */
export function attributeText(text: string): string {
  return plainText(text);
}

/** Legal text as it stands between the double quotes of an attribute. */
export function attributeMarkup(text: string): string {
  if (!/[&<"\t\n]/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;');
}

/** A message attribute: one line, at most 200 characters, none of `& < > " '` (one reader shows entities raw). */
export function messageText(text: string): string {
  const line = plainLine(plainText(text).replace(/[&<>"']/g, ''));
  return cutLine(line, LONGEST_MESSAGE);
}

/**
 * A body of at most 32 KiB as CDATA text: whole, or its first 8 and last 24 KiB with a line between that says how
 * many bytes are left out and where they are.
 */
export function bodyText(text: string, where: string): string {
  const clean = cdataText(text);
  if (clean.length * MOST_UTF8_BYTES <= BODY_BYTES) return clean;
  const bytes = Buffer.from(clean, 'utf8');
  if (bytes.length <= BODY_BYTES) return clean;
  const note = (count: number) => `\n... ${count} bytes left out, see ${cdataText(where)} ...\n`;
  const room = BODY_BYTES - HEAD_BYTES - Buffer.byteLength(note(bytes.length));
  const headEnd = characterStart(bytes, HEAD_BYTES);
  const tailStart = characterStart(bytes, bytes.length - room + 4);
  const joined =
    bytes.toString('utf8', 0, headEnd) + note(tailStart - headEnd) + bytes.toString('utf8', tailStart);
  return joined.replaceAll(']]>', ']] >');
}

/** The nearest place at or before `offset` at which a UTF-8 character starts. */
function characterStart(bytes: Buffer, offset: number): number {
  let start = offset;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
