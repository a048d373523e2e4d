import type { SkillRule } from '../model/skill-rule.ts';

/** A head with quotes put round the values that cannot be read without, and where those stand. */
export interface QuotedHead {
  readonly text: string;
  readonly lines: readonly QuotedLine[];
}

interface QuotedLine {
  readonly line: number;
  readonly column: number;
  readonly key: string;
  /** What keeps the value from being read without quotes: programs differ in what they make of each. */
  readonly rule: SkillRule & `unquoted-${string}`;
}

const TOP_LEVEL = /^([A-Za-z_][\w-]*):([ \t]+)(\S.*)$/;
/** Characters that a plain value may not begin with, or that make it something other than text. */
const INDICATOR = /^[@`%*&!{[]/;

/**
 * Quotes top-level plain values that hold `: ` or end in `:`, and names and descriptions that begin with an indicator.
 * Indented lines that go on with such a value are drawn up to it; the number of lines stays.
 */
export function quotePlainValues(head: string): QuotedHead {
  const lines = head.split('\n');
  const quoted: QuotedLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    const [, key = '', gap = '', value = ''] = TOP_LEVEL.exec(lines[index] ?? '') ?? [];
    const end = endOfValue(lines, index);
    const text = [value, ...lines.slice(index + 1, end)].map((line) => line.trim()).join(' ');
    if (!needsQuotes(key, text)) continue;
    lines.fill('', index + 1, end);
    lines[index] = `${key}:${gap}${JSON.stringify(text.trim())}`;
    const rule = end > index + 1 ? 'unquoted-lines' : ruleOfLine(text);
    quoted.push({ line: index + 1, column: key.length + 1 + gap.length + 1, key, rule });
  }
  return { text: lines.join('\n'), lines: quoted };
}

function needsQuotes(key: string, value: string): boolean {
  if (key === '' || /^["'|>#]/.test(value)) return false;
  if (INDICATOR.test(value)) return key === 'name' || key === 'description';
  return /:(\s|$)/.test(value);
}

function ruleOfLine(value: string): QuotedLine['rule'] {
  if (INDICATOR.test(value)) return 'unquoted-start';
  return /:\s*$/.test(value) ? 'unquoted-end' : 'unquoted-value';
}

function endOfValue(lines: readonly string[], start: number): number {
  let end = start + 1;
  while (end < lines.length && /^[ \t]+\S/.test(lines[end] ?? '')) end += 1;
  return end;
}
