import { formatMany } from './format.ts';
import { plainLine } from './plain-text.ts';

/** A heading (may be empty) and its lines; a section without lines is left out. */
export interface Section {
  readonly title: string;
  readonly rows: readonly string[];
}

/** Kept free for the lines that say what was cut. */
const RESERVED_BYTES = 200;

/** Text from a record as one harmless line of Markdown: no table cell ends, no markup, HTML or mention begins. */
export function cell(text: string): string {
  return plainLine(text)
    .replace(/[\\|`*[\]<>#~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/(^|\s)@/g, '$1@\u200b');
}

/** Lines of a table: names to the left, figures to the right. Cells must be safe already (see {@link cell}). */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? ':---' : '---:'));
  return rows.length === 0 ? [] : [line(head), line(rule), ...rows.map(line)];
}

/**
 * Joins sections within a number of bytes. Sections come in order of weight: when room ends, the rest of a section's
 * lines are replaced by one that says how many, and so on for those after it.
 */
export function limited(sections: readonly Section[], mostBytes: number): string {
  const lines: string[] = [];
  const filled = sections.filter((section) => section.rows.length > 0);
  let room =
    mostBytes - filled.reduce((sum, { title }) => sum + Buffer.byteLength(title) + RESERVED_BYTES, 0);
  for (const { title, rows } of filled) {
    lines.push(...(title === '' ? [] : [title, '']));
    let kept = 0;
    for (const row of rows) {
      room -= Buffer.byteLength(row) + 1;
      if (room < 0) break;
      lines.push(row);
      kept++;
    }
    if (kept < rows.length)
      lines.push(
        '',
        `*${formatMany(rows.length - kept, 'line')} left out here: see measurement.json and the CSV files beside this one.*`,
      );
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
