import type { TextRange } from './instruction-text.ts';

/** A piece of a text and what shall stand in its place. */
export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** Applies edits that do not overlap, in any order; everything outside their ranges stays byte for byte. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.range.start - a.range.start)
    .reduce(
      (current, edit) => current.slice(0, edit.range.start) + edit.text + current.slice(edit.range.end),
      text,
    );
}
