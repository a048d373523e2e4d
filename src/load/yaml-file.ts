import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { err, ok, type Result } from '../base/result.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import type { Locate, LocatedFile, ValuePath } from './located-file.ts';
import { readText } from './read-text.ts';
import { schemaProblems } from './schema-problems.ts';
import { UNCLOSED, type YamlError, yamlErrors } from './yaml-errors.ts';

/** Reads a YAML file against a schema; every problem in it comes with line and column. */
export async function readYamlFile<T>(
  path: string,
  schema: z.ZodType<T>,
): Promise<Result<LocatedFile<T>, Problem[]>> {
  const text = await readText(path);
  return text.ok ? parseYaml({ text: text.value, path, schema }) : err([text.error]);
}

/** {@link readYamlFile} of a text that is there already. YAML 1.2 core: `yes` and `on` are strings; a key stands once. */
export function parseYaml<T>(input: {
  readonly text: string;
  readonly path: string;
  readonly schema: z.ZodType<T>;
}): Result<LocatedFile<T>, Problem[]> {
  const data = parseYamlData(input.text, input.path);
  if (!data.ok) return data;
  const { written, locate, problems } = data.value;
  const parsed = input.schema.safeParse(written);
  if (!parsed.success) {
    const found = schemaProblems({ error: parsed.error, schema: input.schema, value: written, locate });
    return err([...problems, ...found]);
  }
  return ok({ path: input.path, value: parsed.data, written, locate, problems });
}

/** The data of a YAML text before any schema. */
export function parseYamlData(
  text: string,
  path: string,
): Result<Pick<LocatedFile<unknown>, 'written' | 'locate' | 'problems'>, Problem[]> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  const place = (offset: number) => ({ file: path, ...position(lines, offset) });
  const problems = [...syntaxProblems(document, text, place), ...unresolvedAliases(document, place)];
  if (hasErrors(problems)) return err(problems);
  try {
    const written: unknown = document.toJS({ maxAliasCount: 100 });
    return ok({ written, locate: locator(document, { path, lines }), problems });
  } catch (error) {
    const message = `the YAML cannot be read: ${(error as Error).message}`;
    return err([{ severity: 'error', message, where: { file: path }, repair: 'write it without aliases' }]);
  }
}

function position(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** What is said of two faults that some readers forgive, so that they can be told from the rest. */
export const YAML_SAYS = {
  duplicateKey: 'the same key stands twice',
  tabIndent: 'indent with spaces',
} as const;

const REPAIRS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'keep one of the two',
  TAB_AS_INDENT: YAML_SAYS.tabIndent,
  BAD_INDENT: 'line the keys of one map up',
  MULTIPLE_DOCS: 'keep one document: remove the second "---"',
  MISSING_CHAR: 'close the quote or the bracket',
  [UNCLOSED]: 'close the quote or the bracket',
  BLOCK_AS_IMPLICIT_KEY: 'put the value in quotes if it holds ": "',
};

function syntaxProblems(
  document: Document,
  text: string,
  place: (offset: number) => NonNullable<Problem['where']>,
): Problem[] {
  const problem =
    (severity: Problem['severity']) =>
    ({ code, message, offset }: YamlError): Problem => ({
      severity,
      message: code === 'DUPLICATE_KEY' ? YAML_SAYS.duplicateKey : `YAML: ${sentence(message)}`,
      where: place(offset),
      repair: REPAIRS[code] ?? 'correct the YAML at this place',
    });
  const warnings = document.warnings.map(({ code, message, pos: [offset] }) => ({ code, message, offset }));
  return [...yamlErrors(document, text).map(problem('error')), ...warnings.map(problem('warning'))];
}

function unresolvedAliases(
  document: Document,
  place: (offset: number) => NonNullable<Problem['where']>,
): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Alias(_key, node) {
      if (node.resolve(document) !== undefined) return;
      const message = `YAML: unresolved alias *${node.source}`;
      const repair = 'put the value in quotes, if it is meant to begin with "*"';
      problems.push({ severity: 'error', message, where: place(node.range?.[0] ?? 0), repair });
    },
  });
  return problems;
}

function sentence(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function locator(document: Document, source: { path: string; lines: LineCounter }): Locate {
  return (path, what = 'value') => {
    const found = find(document, path);
    if (found === undefined) return { file: source.path };
    const node = what === 'key' ? (found.key ?? found.value) : (found.value ?? found.key);
    return { file: source.path, ...position(source.lines, node?.range?.[0] ?? 0) };
  };
}

interface Found {
  readonly key?: Node | undefined;
  readonly value?: Node | undefined;
}

/** Undefined when not even the first key is written: line 1 would mislead. */
function find(document: Document, path: ValuePath): Found | undefined {
  let here: Found = { value: document.contents ?? undefined };
  for (const [depth, step] of path.entries()) {
    const next = descend(resolved(here.value, document), step);
    if (next === undefined) return depth === 0 ? undefined : here;
    here = next;
  }
  return here;
}

function resolved(node: Node | undefined, document: Document): Node | undefined {
  return isAlias(node) ? (node.resolve(document) ?? undefined) : node;
}

function descend(node: Node | undefined, step: PropertyKey): Found | undefined {
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? undefined : { value: item as Node };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return pair === undefined
    ? undefined
    : { key: pair.key as Node, value: (pair.value ?? undefined) as Node | undefined };
}
