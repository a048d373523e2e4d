import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The forms of a secret that a text holds: as it is, as in JSON, percent-encoded, or inside base64 of anything. */
export function formsIn(text: string, secret: string): string[] {
  return Object.entries(formsOf(secret))
    .filter(([, form]) => text.includes(form))
    .map(([name]) => name);
}

/** `path: form` of each file below a folder that holds a secret, and how many files there were. */
export async function filesWith(
  dir: string,
  secret: string,
): Promise<{ readonly found: readonly string[]; readonly files: number }> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found: string[] = [];
  for (const path of files)
    found.push(...formsIn(await readFile(path, 'latin1'), secret).map((form) => `${path}: ${form}`));
  return { found, files: files.length };
}

function formsOf(secret: string): Readonly<Record<string, string>> {
  const percent = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return {
    plain: secret,
    json: JSON.stringify(secret).slice(1, -1),
    component: encodeURIComponent(secret),
    percent,
    'percent, upper case': percent.toUpperCase(),
    ...Object.fromEntries(
      [0, 1, 2].map((shift) => [`base64 at ${shift}`, base64Core(secret, shift, 'base64')]),
    ),
    ...Object.fromEntries(
      [0, 1, 2].map((shift) => [`base64url at ${shift}`, base64Core(secret, shift, 'base64url')]),
    ),
  };
}

/** Without the characters in which neighbours have a part. */
function base64Core(secret: string, shift: number, alphabet: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
  const whole = bytes.subarray(shift === 0 ? 0 : 3, bytes.length - (bytes.length % 3));
  return whole.toString(alphabet);
}
