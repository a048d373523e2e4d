import type { ContentFile } from '../../model/task-content.ts';
import { pythonSource } from './python-functions.ts';
import type { PythonLine, PythonToken } from './python-tokens.ts';
import { hiddenFiles, type Remark, type TaskRule } from './task-rule.ts';
import { TEST_FILE } from './test-assertions.ts';

/** Tests, or a solution, that no Python can read. Only what is wrong for certain: the rest shows when the tests are collected. */
export const pythonSyntax: TaskRule = {
  name: 'python-syntax',
  check: (task) =>
    hiddenFiles(task).flatMap((file): Remark[] => {
      const fault = syntaxFault(pythonSource(file) ?? []);
      if (fault === undefined) return [];
      return [
        {
          severity: isCollected(file) ? 'error' : 'warning',
          message: `this is no Python: ${fault.what}`,
          where: { file: file.hostPath, line: fault.line },
          repair: 'correct the Python at this place, or just before it',
        },
      ];
    }),
};

/** What pytest reads before any test runs. */
function isCollected({ path }: ContentFile): boolean {
  return TEST_FILE.test(path) || /^tests\/(?:.*\/)?conftest\.py$/.test(path);
}

/** What is wrong, and in which line, from 1. */
export interface SyntaxFault {
  readonly what: string;
  readonly line: number;
}

/** The first thing in a file's lines for which Python refuses it, as far as brackets, quotes, colons and indents tell. */
export function syntaxFault(lines: readonly PythonLine[]): SyntaxFault | undefined {
  // Quotes inside a formatted string of the same kind, which newer versions allow, are not cut as Python cuts them.
  if (lines.some(({ tokens }) => tokens.some(isNested))) return undefined;
  return characterFault(lines) ?? bracketFault(lines) ?? colonFault(lines) ?? indentFault(lines);
}

function isNested({ kind, text, isFormatted }: PythonToken): boolean {
  if (kind !== 'string' || isFormatted !== true) return false;
  const count = (brace: string) => text.split(brace).length;
  return count('{') !== count('}');
}

const WRONG_CHARACTER = /^["'?$`\u2018\u2019\u201C\u201D]$/;

function characterFault(lines: readonly PythonLine[]): SyntaxFault | undefined {
  for (const { tokens } of lines) {
    const wrong = tokens.find(({ kind, text }) => kind === 'operator' && WRONG_CHARACTER.test(text));
    if (wrong === undefined) continue;
    const isQuote = wrong.text === '"' || wrong.text === "'";
    const what = isQuote
      ? `the string that ${wrong.text} begins is never closed`
      : `${wrong.text} means nothing there`;
    return { what, line: wrong.line };
  }
  return undefined;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function bracketFault(lines: readonly PythonLine[]): SyntaxFault | undefined {
  const open: PythonToken[] = [];
  for (const token of lines.flatMap(({ tokens }) => tokens)) {
    if (token.kind !== 'operator') continue;
    if ('([{'.includes(token.text)) open.push(token);
    const wanted = CLOSING[token.text];
    if (wanted === undefined) continue;
    const last = open.pop();
    if (last === undefined) return { what: `${token.text} closes nothing`, line: token.line };
    if (last.text !== wanted)
      return { what: `${token.text} cannot close the ${last.text} of line ${last.line}`, line: token.line };
  }
  const [first] = open;
  return first === undefined ? undefined : { what: `${first.text} is never closed`, line: first.line };
}

const HEADS = new Set('def class if elif else for while try except finally with'.split(' '));

function colonFault(lines: readonly PythonLine[]): SyntaxFault | undefined {
  for (const { tokens, line } of lines) {
    const [first, second] = tokens;
    const head = first?.text === 'async' ? second : first;
    if (head?.kind !== 'name' || !HEADS.has(head.text)) continue;
    let depth = 0;
    const hasColon = tokens.some(({ kind, text }) => {
      if (kind !== 'operator') return false;
      if ('([{'.includes(text)) depth += 1;
      if (')]}'.includes(text)) depth -= 1;
      return text === ':' && depth === 0;
    });
    if (!hasColon) return { what: `the line of "${head.text}" has no ":"`, line };
  }
  return undefined;
}

function indentFault(lines: readonly PythonLine[]): SyntaxFault | undefined {
  let levels: readonly number[] = [0];
  let isHead = false;
  for (const each of lines) {
    const what = wrongIndent(each, { levels, isHead });
    if (what !== undefined) return { what, line: each.line };
    levels = [...levels.filter((level) => level < each.indent), each.indent];
    const last = each.tokens.at(-1);
    isHead = last?.kind === 'operator' && last.text === ':';
  }
  return isHead
    ? { what: 'the last line wants an indented block', line: lines.at(-1)?.line ?? 1 }
    : undefined;
}

function wrongIndent(
  { indent }: PythonLine,
  { levels, isHead }: { readonly levels: readonly number[]; readonly isHead: boolean },
): string | undefined {
  const level = levels.at(-1) ?? 0;
  if (isHead) return indent > level ? undefined : 'the line before wants an indented block';
  if (indent > level) return 'the line is indented, and none before it asks for that';
  return levels.includes(indent) ? undefined : 'the indent is that of no line before';
}
