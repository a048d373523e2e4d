import type { z } from 'zod';
import type { Problem } from '../model/problem.ts';
import { didYouMean } from './did-you-mean.ts';
import { knownKeys } from './known-keys.ts';
import { type Locate, pathText, type ValuePath, valueAt } from './located-file.ts';
import { schemaRepair } from './schema-repair.ts';

type Issue = z.core.$ZodIssue;

interface Source {
  readonly schema: z.ZodType;
  /** The data that did not fit. */
  readonly value: unknown;
  readonly locate: Locate;
}

/**
 * Says in the user's terms, in the order of the file, everything in which data does not fit a schema. Where a schema gives
 * an issue a message of two lines, the second is the repair.
 */
export function schemaProblems(input: Source & { readonly error: z.ZodError }): Problem[] {
  const problems = input.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownKey(key, issue.path, { ...input, severity: 'error' }))
      : [misfit(issue, input)],
  );
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ where }: Problem): number {
  return (where?.line ?? 0) * 1e6 + (where?.column ?? 0);
}

/** A key that the schema does not name: an error in our own files, a warning in those read leniently. */
export function unknownKey(
  key: string,
  parent: ValuePath,
  source: Omit<Source, 'value'> & { readonly severity: Problem['severity'] },
): Problem {
  const within = parent.length === 0 ? '' : ` in ${pathText(parent)}`;
  return {
    severity: source.severity,
    message: `unknown key "${key}"${within}`,
    where: source.locate([...parent, key], 'key'),
    repair: didYouMean(key, knownKeys(source.schema, parent)),
  };
}

function misfit(issue: Issue, source: Source): Problem {
  const value = valueAt(source.value, issue.path);
  const name = issue.path.length === 0 ? 'the file' : pathText(issue.path);
  const last = issue.path.at(-1);
  if (value === undefined && typeof last === 'string')
    return missingKey(issue, { ...source, name, key: last });
  const [said = '', ownRepair] = issue.message.split('\n');
  return {
    severity: 'error',
    message: `${name} ${ownRepair === undefined ? complaint(issue, value) : `is ${shown(value)}: ${said}`}`,
    where: source.locate(issue.path),
    ...(ownRepair === undefined ? schemaRepair(issue, value, source.schema) : { repair: ownRepair }),
  };
}

function missingKey(issue: Issue, source: Source & { name: string; key: string }): Problem {
  return {
    severity: 'error',
    message: `missing key "${source.name}"`,
    where: source.locate(issue.path.slice(0, -1), 'key'),
    repair: `add "${source.key}:" with ${wanted(issue)}`,
  };
}

function wanted(issue: Issue): string {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? `a value of kind ${issue.expected}`;
  if (issue.code === 'invalid_value' && issue.values.length === 1) return String(issue.values[0]);
  if (issue.code === 'invalid_value') return `one of: ${issue.values.map(String).join(', ')}`;
  return 'a value';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  record: 'a map of keys',
};

function complaint(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${wanted(issue)}, not ${shown(value)}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}, not ${shown(value)}`
        : `is ${shown(value)}, which is none of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.inclusive === false) return `is ${shown(value)}: more than ${issue.minimum} is needed`;
      return `${size(issue.origin, value)}: at least ${issue.minimum} ${issue.origin === 'number' || issue.origin === 'int' ? 'is' : isOrAre(issue.minimum)} needed`;
    case 'too_big':
      return `${size(issue.origin, value)}: at most ${issue.maximum} ${issue.origin === 'number' || issue.origin === 'int' ? 'is' : isOrAre(issue.maximum)} allowed`;
    case 'invalid_key':
      return `has a key that is not allowed: ${issue.issues.map((inner) => inner.message).join('; ')}`;
    case 'invalid_union':
      return `is ${shown(value)}, which has none of the allowed forms`;
    default:
      return `is ${shown(value)}: ${issue.message}`;
  }
}

function isOrAre(count: number | bigint): string {
  return Number(count) === 1 ? 'is' : 'are';
}

function size(origin: string, value: unknown): string {
  if (origin === 'array' && Array.isArray(value)) return `has ${value.length} entries`;
  if (origin === 'string' && typeof value === 'string') return `has ${value.length} characters`;
  return `is ${shown(value)}`;
}

/** The value as the user will recognise it; long texts cut, collections by kind alone. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map of keys';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…"`;
}
