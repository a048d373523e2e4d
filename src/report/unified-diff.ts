import { plainText } from './plain-text.ts';

/** Unchanged lines round a change. */
const CONTEXT = 3;
/** Above this many pairs of lines the middle is shown as replaced whole: finding the least change would take too long. */
const MOST_PAIRS = 4_000_000;

interface Edit {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** The differences of two texts in the unified form, harmless for a terminal; empty where there are none. */
export function unifiedDiff(
  before: { readonly name: string; readonly text: string },
  after: { readonly name: string; readonly text: string },
): string {
  if (before.text === after.text) return '';
  const edits = editsOf(linesOf(before.text), linesOf(after.text));
  const hunks = hunksOf(edits).map((hunk) => renderHunk(edits, hunk));
  return [`--- ${plainText(before.name)}`, `+++ ${plainText(after.name)}`, ...hunks, ''].join('\n');
}

/** Each with what ends it, so that a change of that alone is one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let same = 0;
  const room = Math.min(before.length, after.length) - start;
  while (same < room && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const kept = (line: string): Edit => ({ sign: ' ', line });
  return [
    ...before.slice(0, start).map(kept),
    ...middleEdits(before.slice(start, before.length - same), after.slice(start, after.length - same)),
    ...before.slice(before.length - same).map(kept),
  ];
}

function middleEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const gone = (line: string): Edit => ({ sign: '-', line });
  const come = (line: string): Edit => ({ sign: '+', line });
  if (before.length * after.length > MOST_PAIRS) return [...before.map(gone), ...after.map(come)];
  const lengths = commonLengths(before, after);
  const edits: Edit[] = [];
  let [a, b] = [0, 0];
  while (a < before.length && b < after.length) {
    const [left, right] = [before[a] as string, after[b] as string];
    if (left === right) {
      edits.push({ sign: ' ', line: left });
      a += 1;
      b += 1;
    } else if (lengths(a + 1, b) >= lengths(a, b + 1)) {
      edits.push(gone(left));
      a += 1;
    } else {
      edits.push(come(right));
      b += 1;
    }
  }
  return [...edits, ...before.slice(a).map(gone), ...after.slice(b).map(come)];
}

/** Length of the longest common subsequence of what is left from two places on. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
): (a: number, b: number) => number {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const at = (a: number, b: number) => table[a * width + b] ?? 0;
  for (let a = before.length - 1; a >= 0; a--) {
    for (let b = after.length - 1; b >= 0; b--) {
      table[a * width + b] =
        before[a] === after[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  return at;
}

interface Hunk {
  start: number;
  /** One past the last edit. */
  end: number;
}

function hunksOf(edits: readonly Edit[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, { sign }] of edits.entries()) {
    if (sign === ' ') continue;
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(edits.length, index + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

function renderHunk(edits: readonly Edit[], { start, end }: Hunk): string {
  const range = (other: '-' | '+') => {
    const counted = (part: readonly Edit[]) =>
      part.filter(({ sign }) => sign === ' ' || sign === other).length;
    const count = counted(edits.slice(start, end));
    return `${counted(edits.slice(0, start)) + (count === 0 ? 0 : 1)},${count}`;
  };
  return [`@@ -${range('-')} +${range('+')} @@`, ...edits.slice(start, end).map(editText)].join('\n');
}

/** Carriage returns and byte order marks are what a repair may be about: they are named, not shown. */
function editText({ sign, line }: Edit): string {
  const shown = line
    .replace(/\n$/, '')
    .replace(/\r$/, '<CR>')
    .replace(/^\uFEFF/, '<BOM>');
  return `${sign}${plainText(shown)}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file'}`;
}
