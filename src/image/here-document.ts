import { literal } from './regexp-literal.ts';

const OPENING = /(?<![<\\])<<-?(["']?)([A-Za-z_]\w*)\1/g;

/**
 * Number of lines below an instruction that BuildKit would take as its here-documents; 0 where it opens none. The plain
 * builder knows none and would read those lines as instructions. A `<<` in quotes, or without a closing line, is none.
 */
export function hereDocumentLines(argumentText: string, linesBelow: readonly string[]): number {
  let end = 0;
  for (const opening of argumentText.matchAll(OPENING)) {
    if (isQuoted(argumentText.slice(0, opening.index))) continue;
    const closing = new RegExp(`^\\t*${literal(opening[2] ?? '')}$`);
    const at = linesBelow.slice(end).findIndex((line) => closing.test(line));
    if (at >= 0) end += at + 1;
  }
  return end;
}

function isQuoted(before: string): boolean {
  const open = before.replace(/\\./g, '').replace(/"[^"]*"|'[^']*'/g, '');
  return /["']/.test(open);
}
