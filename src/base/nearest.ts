/** The candidate nearest to a mistyped word, or undefined when none is near: at most a third of the letters may differ. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours each cost one. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow({ a, b, i, last, beforeLast });
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function nextRow(table: {
  readonly a: string;
  readonly b: string;
  readonly i: number;
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
}): number[] {
  const { a, b, i, last, beforeLast } = table;
  const at = (row: readonly number[], j: number) => row[j] ?? Number.POSITIVE_INFINITY;
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1]);
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swapped = isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
    row.push(Math.min(at(row, j - 1) + 1, at(last, j) + 1, replaced, swapped));
  }
  return row;
}
