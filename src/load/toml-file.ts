import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import type { LocatedFile } from './located-file.ts';
import { readText } from './read-text.ts';
import { schemaProblems } from './schema-problems.ts';
import { tomlLocator } from './toml-places.ts';

/** Reads a TOML 1.0 file against a schema; every problem in it comes with line and column. */
export async function readTomlFile<T>(
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<LocatedFile<T>, Problem[]>> {
  const text = await readText(path);
  return text.ok ? parseToml({ text: text.value, path, schema }) : err([text.error]);
}

/** {@link readTomlFile} of a text that is there already. A byte order mark and CRLF are accepted. */
export function parseToml<T>(input: {
  readonly text: string;
  readonly path: string;
  readonly schema: z.ZodType<T>;
}): Result<LocatedFile<T>, Problem[]> {
  const text = input.text.replace(/^\uFEFF/, '');
  const written = tomlData(text, input.path);
  if (!written.ok) return written;
  const locate = tomlLocator(text, input.path);
  const parsed = input.schema.safeParse(written.value);
  if (!parsed.success) {
    return err(schemaProblems({ error: parsed.error, schema: input.schema, value: written.value, locate }));
  }
  return ok({ path: input.path, value: parsed.data, written: written.value, locate, problems: [] });
}

function tomlData(text: string, path: string): Result<unknown, Problem[]> {
  try {
    return ok(parse(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The message goes on with a picture of the line, which our own printer draws.
    const [said = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    const where = { file: path, line: error.line, column: error.column };
    return err([
      { severity: 'error', message: `TOML: ${said}`, where, repair: 'correct the TOML at this place' },
    ]);
  }
}
