import type { z } from 'zod';
import { damage } from './damage.ts';
import { sealFault } from './seal.ts';

const SCHEMA_VERSION = 1;

/** Where a text came from, and what to do when it cannot be used. */
export interface Origin {
  readonly file: string;
  readonly line?: number;
  readonly repair: string;
}

/** JSON text -> value of a schema; throws InputError that names the file, and the field at fault. Version and checksum are checked first. */
export function parseRecord<T>(schema: z.ZodType<T>, text: string, origin: Origin): T {
  const value = parseJson(text, origin);
  const version = schemaVersionOf(value);
  if (typeof version === 'number' && version !== SCHEMA_VERSION) {
    throw damage(
      origin,
      `schemaVersion ${version} is not known, this skillpair reads ${SCHEMA_VERSION}`,
      'read it with the version of skillpair that wrote it (run.json names it)',
    );
  }
  const fault = sealFault(text, value);
  if (fault !== undefined) throw damage(origin, fault, origin.repair);
  const parsed = schema.safeParse(withoutSeal(value));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'value'}: ${message}`,
  );
  throw damage(origin, issues.slice(0, 5).join('; '), origin.repair);
}

/** JSON text -> value; throws InputError that names the file and line. */
export function parseJson(text: string, origin: Origin): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw damage(origin, `not JSON (${error instanceof Error ? error.message : error})`, origin.repair);
  }
}

function withoutSeal(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('checksum' in value)) return value;
  const { checksum: _checksum, ...rest } = value;
  return rest;
}

function schemaVersionOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'schemaVersion' in value
    ? value.schemaVersion
    : undefined;
}
