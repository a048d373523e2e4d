/** Secrets shorter than this, in bytes, are not looked for: they would match ordinary text and hide nothing. */
export const MIN_SECRET_BYTES = 6;

/** Sources of regular expressions, one for each piece of a form, over Latin-1 text of UTF-8 bytes. A match is all of them in a row. */
export type SecretForm = readonly string[];

/**
 * The forms in which one secret can appear: as it is, escaped as in a JSON string, percent-encoded (each byte encoded or not, in either
 * case), and inside base64 of whatever holds it.
 */
export function secretForms(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  const plain = [...bytes].map(anyEncoding);
  const json = Buffer.from(JSON.stringify(secret).slice(1, -1), 'utf8');
  const texts = [json.toString('latin1'), ...base64Cores(bytes)];
  return [plain, ...[...new Set(texts)].map((text) => [...text].map(literal))];
}

/** A byte as itself or as `%XX`. Forms that write a blank as `+` are met too. */
function anyEncoding(byte: number): string {
  const hex = byte.toString(16).padStart(2, '0');
  const escaped = `%${[...hex].map((digit) => eitherCase(digit)).join('')}`;
  const blank = byte === 0x20 ? '|\\+' : '';
  return `(?:${literal(String.fromCharCode(byte))}|${escaped}${blank})`;
}

function eitherCase(digit: string): string {
  const upper = digit.toUpperCase();
  return upper === digit ? digit : `[${digit}${upper}]`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * The characters of base64 that depend on the secret alone, for each place that it can have in the groups of three bytes, in both
 * alphabets. The characters at the borders mix in neighbours, and give at most a few bits of the secret away.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
