const SHOWN = 10;

/**
 * The words a user could have meant, for the repair of a problem: the ones nearest to `wanted` first, at most ten
 * by name and the rest as a number. Without `wanted` they stand in order of the alphabet.
 */
export function available(words: Iterable<string>, wanted?: string): string {
  const sorted = [...new Set(words)].sort();
  const near =
    wanted === undefined
      ? sorted
      : sorted
          .map((word) => ({ word, edits: edits(wanted.toLowerCase(), word.toLowerCase()) }))
          .sort((a, b) => a.edits - b.edits)
          .map(({ word }) => word);
  const rest = near.length - SHOWN;
  return near.slice(0, SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Levenshtein distance, one row at a time. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
