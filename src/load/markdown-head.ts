import { err, ok, type Result } from '../base/result.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import type { SkillProblem, SkillRule } from '../model/skill-rule.ts';
import { checkHead } from './check-head.ts';
import { quotePlainValues } from './quote-plain-values.ts';
import { parseYamlData, YAML_SAYS } from './yaml-file.ts';

/** What a SKILL.md says of itself, and the text below its head. */
export interface MarkdownHead {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  /** All that the head says, by key. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** Below the closing rule. */
  readonly body: string;
  /** Warnings and notes. */
  readonly problems: readonly SkillProblem[];
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
}): Result<MarkdownHead, SkillProblem[]> {
  const { path, folder } = input;
  const problems = textProblems(input.text, path);
  const parts = splitHead(input.text.replace(BYTE_ORDER_MARK, ''), path);
  if (!parts.ok) return err([...problems, ...parts.error]);
  const head = readHead(parts.value.head, path);
  if (!head.ok) return err([...problems, ...head.error]);
  const checked = checkHead({ ...head.value, source: parts.value.head, folder });
  problems.push(
    ...parts.value.problems,
    ...head.value.problems,
    ...checked.problems,
    ...lengthNote(input.text, path),
  );
  if (hasErrors(problems)) return err(problems);
  const { name, description, license } = checked;
  const { body } = parts.value;
  const keys = head.value.written as MarkdownHead['keys'];
  return ok({ name, keys, description, ...(license === undefined ? {} : { license }), body, problems });
}

function textProblems(text: string, path: string): SkillProblem[] {
  const problems: SkillProblem[] = [];
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    const before = text.slice(0, nul).split('\n');
    const where = { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    const message = 'the file holds a NUL character';
    const repair = 'remove it, or save the file as UTF-8';
    problems.push({ severity: 'error', rule: 'nul-character', message, where, repair });
  }
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const message = 'the file starts with a byte order mark, behind which some harnesses do not see the head';
    const where = { file: path, line: 1, column: 1 };
    const repair = 'save it as UTF-8 without a byte order mark';
    problems.push({ severity: 'warning', rule: 'byte-order-mark', message, where, repair });
  }
  return problems;
}

interface Parts {
  readonly head: string;
  readonly body: string;
  readonly problems: readonly SkillProblem[];
}

/** The head keeps an empty first line in place of its rule, so that line numbers are those of the file. */
function splitHead(text: string, path: string): Result<Parts, SkillProblem[]> {
  const problem = (rule: SkillRule, message: string, repair: string): SkillProblem[] => [
    { severity: 'error', rule, message, where: { file: path, line: 1, column: 1 }, repair },
  ];
  const begin = 'begin with "---", "name: …", "description: …", "---"';
  const lines = text.split(/\r?\n/);
  if (!isRule(lines[0] ?? '')) {
    if (text.trim() === '') return err(problem('skill-file-empty', 'the file is empty', begin));
    const isLate = isRule(lines.find((line) => line.trim() !== '') ?? '');
    const message = 'there is no head: the first line must be "---"';
    return err(problem(isLate ? 'head-first' : 'head-missing', message, begin));
  }
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  if (end < 0)
    return err(problem('head-closed', 'the head has no closing "---"', 'close the head with a line "---"'));
  return ok({
    head: ['', ...lines.slice(1, end)].join('\n'),
    body: lines.slice(end + 1).join('\n'),
    problems: ruleProblems(text.split('\n').slice(0, end + 1), { path, isLast: lines.length === end + 1 }),
  });
}

/** What may be odd about the lines of a head as such; `written` has their carriage returns still. */
function ruleProblems(
  written: readonly string[],
  { path, isLast }: { readonly path: string; readonly isLast: boolean },
): SkillProblem[] {
  const problems: SkillProblem[] = [];
  for (const line of [1, written.length]) {
    const text = written[line - 1]?.replace(/\r$/, '') ?? '';
    if (text === '---') continue;
    const message = 'blanks stand behind "---": a harness may not take it for the border of a head';
    const where = { file: path, line, column: 4 };
    problems.push({ severity: 'warning', rule: 'head-rule-blanks', message, where, repair: 'remove them' });
  }
  const carriage = written.findIndex((line) => line.endsWith('\r'));
  if (carriage >= 0) {
    const where = { file: path, line: carriage + 1, column: written[carriage]?.length ?? 1 };
    const message = 'lines of the head end in CR LF';
    const repair = 'save the head with LF alone';
    problems.push({ severity: 'note', rule: 'head-line-ends', message, where, repair });
  }
  if (isLast) {
    const where = { file: path, line: written.length, column: 4 };
    const message = 'nothing stands below the head, and its last line has no newline';
    const repair = 'end it with a newline, and write what the Skill teaches below it';
    problems.push({ severity: 'note', rule: 'head-end', message, where, repair });
  }
  return problems;
}

function isRule(line: string): boolean {
  return /^---[ \t]*$/.test(line);
}

interface ReadHead extends Omit<YamlData, 'problems'> {
  readonly problems: readonly SkillProblem[];
}

type YamlData = Extract<ReturnType<typeof parseYamlData>, { ok: true }>['value'];

/** Values that hold an unquoted ": " break YAML and yet are common: they are read as if they stood in quotes, with a warning. */
function readHead(head: string, path: string): Result<ReadHead, SkillProblem[]> {
  const first = parseYamlData(head, path);
  if (first.ok) return ok({ ...first.value, problems: first.value.problems.map(asSyntax) });
  const quoted = quotePlainValues(head);
  const second = quoted.lines.length > 0 ? parseYamlData(quoted.text, path) : first;
  if (!second.ok) return err(first.error.map(asSyntax));
  const warnings = quoted.lines.map(
    ({ line, column, key, rule }): SkillProblem => ({
      severity: 'warning',
      rule,
      message: `the value of "${key}" is no YAML without quotes; it was read as if quoted, which other readers may not do`,
      where: { file: path, line, column },
      repair: `put the value of "${key}" in double quotes`,
    }),
  );
  return ok({ ...second.value, problems: [...second.value.problems.map(asSyntax), ...warnings] });
}

function asSyntax(problem: Problem): SkillProblem {
  if (problem.message === YAML_SAYS.duplicateKey) return { ...problem, rule: 'yaml-duplicate-key' };
  const rule = problem.repair === YAML_SAYS.tabIndent ? 'yaml-tab-indent' : 'yaml-syntax';
  return { ...problem, rule };
}

function lengthNote(text: string, path: string): SkillProblem[] {
  const count = text.split('\n').length;
  if (count <= 500) return [];
  const message = `SKILL.md has ${count} lines; the specification advises fewer than 500`;
  const repair = 'move details to files beside it';
  return [{ severity: 'note', rule: 'skill-length', message, where: { file: path }, repair }];
}
