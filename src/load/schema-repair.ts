import type { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { requiredKeys } from './known-keys.ts';

type Issue = z.core.$ZodIssue;

/** What to write instead of a value that does not fit; nothing where the complaint says it already. */
export function schemaRepair(issue: Issue, value: unknown, schema: z.ZodType): { repair?: string } {
  const repair = proposal(issue, value, schema);
  return repair === undefined ? {} : { repair };
}

function proposal(issue: Issue, value: unknown, schema: z.ZodType): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.length > 1
        ? didYouMean(String(value), issue.values.map(String))
        : `write ${String(issue.values[0])}`;
    case 'invalid_type':
      return issue.path.length === 0 ? neededKeys(schema) : ofKind(issue.expected, value, issue.path.at(-1));
    case 'too_small':
    case 'too_big':
      return share(value, issue) ?? withinLimit(issue);
    default:
      return undefined;
  }
}

function neededKeys(schema: z.ZodType): string | undefined {
  const keys = requiredKeys(schema);
  return keys.length === 0 ? undefined : `write the keys that it needs: ${keys.join(', ')}`;
}

function ofKind(expected: string, value: unknown, key: PropertyKey | undefined): string | undefined {
  if (typeof value === 'object') return undefined;
  const text = String(value);
  if (expected === 'string') return `put it in quotes: "${text}"`;
  if (expected === 'array') return `write a list: [${text}]`;
  if (expected !== 'number' && expected !== 'int') return undefined;
  const [, percent] = /^(-?\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
  if (percent !== undefined) return asShare(Number(percent), key);
  const isQuoted = typeof value === 'string' && text.trim() !== '';
  return isQuoted && (expected === 'int' ? Number.isInteger(Number(text)) : Number.isFinite(Number(text)))
    ? `write it without quotes: ${text.trim()}`
    : undefined;
}

type Limit = Extract<Issue, { code: 'too_small' | 'too_big' }>;

/** Shares are written from 0 to 1, and people think of them in hundredths. */
function share(value: unknown, issue: Limit): string | undefined {
  const limit = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  if (typeof value !== 'number' || Math.abs(Number(limit)) !== 1 || Math.abs(value) > 100) return undefined;
  const isShare = issue.code === 'too_big' ? value > 1 : value < -1;
  return isShare ? asShare(value, issue.path.at(-1)) : undefined;
}

function asShare(hundredths: number, key: PropertyKey | undefined): string {
  const unit = key === 'minGain' ? 'percentage points' : '%';
  return `write ${Number((hundredths / 100).toPrecision(6))} for ${hundredths} ${unit}`;
}

function withinLimit(issue: Limit): string | undefined {
  if (issue.origin === 'array') return issue.code === 'too_small' ? 'add an entry' : 'take entries away';
  if (issue.origin === 'string') return issue.code === 'too_small' ? 'write it' : 'shorten it';
  if (issue.code === 'too_big') return `write ${issue.maximum} or less`;
  return issue.inclusive === false ? `write more than ${issue.minimum}` : `write ${issue.minimum} or more`;
}
