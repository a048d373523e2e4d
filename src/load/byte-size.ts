import { z } from 'zod';

const FORM = /^(\d+(?:\.\d+)?)\s*([KMGT])(?:i?B)?$/i;
const POWERS = { k: 1, m: 2, g: 3, t: 4 } as const;

/** Bytes of `512M`, `2G`, `1GiB` or `1GB`; undefined for anything else. All are powers of 1024, as container engines read them. */
export function parseByteSize(text: string): number | undefined {
  const [whole, number = '', unit = 'k'] = FORM.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  return Math.round(Number(number) * 1024 ** POWERS[unit.toLowerCase() as keyof typeof POWERS]);
}

const SAID = 'must be a size such as 512MiB, 1GiB or 2G\nwrite a number and its unit, such as 1GiB';

/** A size as people write it, read as bytes above 0. */
export const ByteSize = z
  .string(SAID)
  .regex(FORM, SAID)
  .transform((text, context) => {
    const bytes = parseByteSize(text);
    if (bytes !== undefined && bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
    context.addIssue({ code: 'custom', message: 'must be above 0' });
    return z.NEVER;
  });
