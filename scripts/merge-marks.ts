/** Lines, from 1, at which git marks the two sides of a merge that nobody settled. A row of equal signs alone may be a heading's underline. */
export function mergeMarks(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, place) =>
    /^(<{7}|>{7}) /.test(line) || isMiddle(lines, place) ? [place + 1] : [],
  );
}

/** An underline stands below text of a paragraph's own; a middle mark follows an item or stands alone. */
function isMiddle(lines: readonly string[], place: number): boolean {
  return lines[place] === '='.repeat(7) && /^($|[\s-])/.test(lines[place - 1] ?? '');
}
