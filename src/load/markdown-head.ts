import { err, ok, type Result } from '../base/result.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import { checkHead } from './check-head.ts';
import { quotePlainValues } from './quote-plain-values.ts';
import { parseYamlData } from './yaml-file.ts';

/** What a SKILL.md says of itself, and the text below its head. */
export interface MarkdownHead {
  readonly name: string;
  readonly description: string;
  /** Below the closing rule. */
  readonly body: string;
  /** Warnings and notes. */
  readonly problems: readonly Problem[];
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The one reader of SKILL.md heads, for checks and for injection; the file itself is never changed.
 * `folder` is the name under which the Skill is injected. Errors: no head, no YAML, no usable name or description.
 */
export function parseMarkdownHead(input: {
  readonly text: string;
  readonly path: string;
  readonly folder: string;
}): Result<MarkdownHead, Problem[]> {
  const { path, folder } = input;
  const problems = textProblems(input.text, path);
  const parts = splitHead(input.text.replace(BYTE_ORDER_MARK, ''), path);
  if (!parts.ok) return err([...problems, ...parts.error]);
  const head = readHead(parts.value.head, path);
  if (!head.ok) return err([...problems, ...head.error]);
  const checked = checkHead({ ...head.value, source: parts.value.head, folder });
  problems.push(...head.value.problems, ...checked.problems, ...lengthNote(input.text, path));
  if (hasErrors(problems)) return err(problems);
  return ok({ name: checked.name, description: checked.description, body: parts.value.body, problems });
}

function textProblems(text: string, path: string): Problem[] {
  const problems: Problem[] = [];
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    const before = text.slice(0, nul).split('\n');
    const where = { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    const repair = 'remove it, or save the file as UTF-8';
    problems.push({ severity: 'error', message: 'the file holds a NUL character', where, repair });
  }
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const message = 'the file starts with a byte order mark, behind which some harnesses do not see the head';
    const where = { file: path, line: 1, column: 1 };
    const repair = 'save it as UTF-8 without a byte order mark';
    problems.push({ severity: 'warning', message, where, repair });
  }
  return problems;
}

/** The head keeps an empty first line in place of its rule, so that line numbers are those of the file. */
function splitHead(text: string, path: string): Result<{ head: string; body: string }, Problem[]> {
  const problem = (line: number, message: string, repair: string): Problem[] => [
    { severity: 'error', message, where: { file: path, line, column: 1 }, repair },
  ];
  const lines = text.split(/\r?\n/);
  if (!isRule(lines[0] ?? '')) {
    const message =
      text.trim() === '' ? 'the file is empty' : 'there is no head: the first line must be "---"';
    return err(problem(1, message, 'begin with "---", "name: …", "description: …", "---"'));
  }
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  if (end < 0) return err(problem(1, 'the head has no closing "---"', 'close the head with a line "---"'));
  return ok({ head: ['', ...lines.slice(1, end)].join('\n'), body: lines.slice(end + 1).join('\n') });
}

function isRule(line: string): boolean {
  return /^---[ \t]*$/.test(line);
}

/** Values that hold an unquoted ": " break YAML and yet are common: they are read as if they stood in quotes, with a warning. */
function readHead(head: string, path: string): ReturnType<typeof parseYamlData> {
  const first = parseYamlData(head, path);
  if (first.ok) return first;
  const quoted = quotePlainValues(head);
  const second = quoted.lines.length > 0 ? parseYamlData(quoted.text, path) : first;
  if (!second.ok) return first;
  const warnings = quoted.lines.map(
    ({ line, column, key }): Problem => ({
      severity: 'warning',
      message: `the value of "${key}" is no YAML without quotes; it was read as if quoted, which other readers may not do`,
      where: { file: path, line, column },
      repair: `put the value of "${key}" in double quotes`,
    }),
  );
  return ok({ ...second.value, problems: [...second.value.problems, ...warnings] });
}

function lengthNote(text: string, path: string): Problem[] {
  const count = text.split('\n').length;
  if (count <= 500) return [];
  const message = `SKILL.md has ${count} lines; the specification advises fewer than 500`;
  return [{ severity: 'note', message, where: { file: path }, repair: 'move details to files beside it' }];
}
