import { plainLine, plainText } from './plain-text.ts';
import { textColumns } from './text-columns.ts';

/** One case of a check. */
export interface CheckRow {
  readonly name: string;
  /** Any of these is right. */
  readonly expected: readonly string[];
  readonly found: string;
  readonly ok: boolean;
  /** What the harness's own output told of a fault: its reason, or `no fault`. Absent where nobody read it. */
  readonly reader?: string;
  /** Why it is not, where more is known than what was found: a fact a line. */
  readonly detail?: string;
}

/** A line for each case, and below it what is known of those that do not hold. */
export function renderChecks(rows: readonly CheckRow[]): string {
  const table = textColumns(
    ['case', 'expected', 'found', 'reader', 'ok'],
    rows.map(({ name, expected, found, reader, ok }) => [
      name,
      expected.join(' or '),
      plainLine(found),
      reader ?? '-',
      ok ? 'yes' : 'NO',
    ]),
  );
  const details = rows.flatMap(({ name, detail }) =>
    detail === undefined ? [] : ['', `${name}:`, ...plainText(detail).split('\n').map(indented)],
  );
  return [table, ...details].join('\n');
}

function indented(line: string): string {
  return `  ${line.trim()}`;
}
