import { crc32 } from 'node:zlib';

/** As it stands at the end of a file, after all it is made of. */
const SEAL = /,\n "checksum": "crc32:([0-9a-f]{8})"\n\}\n$/;
const LONGEST = 64;

/**
 * A record as the text of its file, with a checksum of all that comes before as its last member: a changed byte that leaves JSON of the right
 * shape would else be a changed verdict.
 */
export function sealed(record: object): string {
  const text = JSON.stringify(record, null, 1).slice(0, -'\n}'.length);
  return `${text},\n "checksum": "${checksum(text)}"\n}\n`;
}

/** What is wrong with the seal of a file's text; undefined where it is right, or where there is none, as in older records. */
export function sealFault(text: string, value: unknown): string | undefined {
  const seal = SEAL.exec(text.slice(-LONGEST));
  if (seal === null)
    return typeof value === 'object' && value !== null && 'checksum' in value
      ? 'its checksum is not as it was written'
      : undefined;
  const found = checksum(text.slice(0, text.length - seal[0].length));
  return found === `crc32:${seal[1]}` ? undefined : 'its content does not fit its checksum';
}

function checksum(text: string): string {
  return `crc32:${crc32(text).toString(16).padStart(8, '0')}`;
}
