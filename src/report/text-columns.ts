/**
 * Rows under a head, two blanks between columns, no blanks at the ends of lines. Columns padded here: a table library takes tens of
 * seconds for the ten thousand lines that a plan may have.
 */
export function textColumns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), name.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}
