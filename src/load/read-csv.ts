import { CsvError, type Info, parse } from 'csv-parse/sync';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';

/** One row below the head, by column. */
export interface CsvRow {
  /** Line of the file on which it ends, from 1. */
  readonly line: number;
  /** Trimmed text of a cell; empty for a column that is not there. */
  readonly cell: (column: string) => string;
}

/** A table as it was read. */
export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** What the library gives for each record when it is asked for its place. */
interface Placed {
  readonly record: readonly string[];
  readonly info: Info;
}

/** What its codes mean to the one who wrote the file. */
const FAULTS: Readonly<Record<string, readonly [message: string, repair: string]>> = {
  CSV_QUOTE_NOT_CLOSED: ['a quote is opened and never closed', 'close it, or double it where it is meant'],
  INVALID_OPENING_QUOTE: [
    'a quote stands inside a cell that does not begin with one',
    'put the whole cell in quotes and double the quotes in it',
  ],
  CSV_INVALID_CLOSING_QUOTE: [
    'text stands between the closing quote of a cell and the next comma',
    'put the whole cell in quotes and double the quotes in it',
  ],
};

/** CSV text (RFC 4180; LF or CRLF, with or without a byte order mark) with a head line; blank lines are skipped. Problems name the line. */
export function parseCsv(text: string, path: string): Result<CsvTable, Problem[]> {
  const placed = parsedRecords(text, path);
  if (!placed.ok) return placed;
  const [head, ...records] = placed.value;
  if (head === undefined) {
    const message = 'the file has no head line';
    return err([problemAt(path, 1, { message, repair: 'begin it with the names of the columns' })]);
  }
  const columns = head.record.map((name) => name.trim().toLowerCase());
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice !== undefined) {
    const message = `the column "${twice}" stands twice`;
    return err([problemAt(path, head.info.lines, { message, repair: 'remove or rename one of the two' })]);
  }
  const uneven = records.filter(({ record }) => record.length !== columns.length);
  if (uneven.length > 0) return err(uneven.map((one) => unevenProblem(path, one, columns.length)));
  const positions = new Map(columns.map((name, at) => [name, at]));
  const rows = records.map(({ record, info }) => ({
    line: info.lines,
    cell: (column: string) => record[positions.get(column) ?? -1]?.trim() ?? '',
  }));
  return ok({ columns, rows });
}

/** A problem of one line. */
export function problemAt(
  file: string,
  line: number,
  { message, repair }: { readonly message: string; readonly repair: string },
): Problem {
  return { severity: 'error', message, where: { file, line }, repair };
}

function parsedRecords(text: string, path: string): Result<readonly Placed[], Problem[]> {
  try {
    const found: unknown = parse(text, {
      bom: true,
      info: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return ok(found as readonly Placed[]);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const [message, repair] = FAULTS[error.code] ?? [error.message, 'write it as RFC 4180 says'];
    const line = typeof error.lines === 'number' ? error.lines : 1;
    return err([problemAt(path, line, { message, repair })]);
  }
}

function unevenProblem(path: string, { record, info }: Placed, columns: number): Problem {
  const message = `the row has ${record.length} cells and the head ${columns}`;
  return problemAt(path, info.lines, { message, repair: 'add or remove cells; quote one that has a comma' });
}
