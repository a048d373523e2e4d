import { z } from 'zod';

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const FORM = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

const SAID = 'must be a duration such as 500ms, 90s, 10m or 2h\nwrite a number and its unit, such as 10m';

/** A span of time as people write it (`500ms`, `90s`, `10m`, `1.5h`), read as whole milliseconds above 0. */
export const Duration = z
  .string(SAID)
  .regex(FORM, SAID)
  .transform((text, context) => {
    const [, number = '', unit = 'ms'] = FORM.exec(text) ?? [];
    const milliseconds = Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
    // Longer than setTimeout can wait (2^31 - 1 ms, 24.8 days) would fire at once.
    if (milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
    context.addIssue({ code: 'custom', message: 'must lie between 1ms and 24 days' });
    return z.NEVER;
  });
