import { formatCount } from './format.ts';
import { plainLine } from './plain-text.ts';
import { stateText, type TaskState } from './task-table.ts';
import { textColumns } from './text-columns.ts';

/** What is told of one task that was, or would be, imported. */
export interface ImportRow {
  readonly id: string;
  readonly outcome: 'imported' | 'would-import' | 'refused' | 'already-there';
  readonly files: number;
  readonly bytes: number;
  /** Undefined where it was not imported. */
  readonly state: TaskState | undefined;
  /** Why it was not imported. */
  readonly reasons: readonly string[];
  readonly leftOut: readonly string[];
  readonly absent: readonly string[];
}

const WORDS: Readonly<Record<ImportRow['outcome'], string>> = {
  imported: 'imported',
  'would-import': 'would be imported',
  refused: 'refused',
  'already-there': 'there already',
};

/** A line for each task. */
export function renderImports(rows: readonly ImportRow[]): string {
  const lines = rows.map(({ id, outcome, files, bytes, state, reasons }) => [
    plainLine(id),
    WORDS[outcome],
    formatCount(files),
    `${formatCount(Math.ceil(bytes / 1024))} KiB`,
    state === undefined ? plainLine(reasons.join('; ')) : stateText(state),
  ]);
  return textColumns(['task', 'import', 'files', 'size', 'state'], lines);
}

/** A line for each task of which something did not come in. */
export function renderLeftOut(rows: readonly ImportRow[]): string {
  return rows
    .flatMap(({ id, leftOut, absent }) => [
      ...(absent.length === 0 ? [] : [`${id}: without content: ${absent.join(', ')}`]),
      ...(leftOut.length === 0 ? [] : [`${id}: left out, no part of the task: ${leftOut.join(', ')}`]),
    ])
    .map((line) => `${plainLine(line)}\n`)
    .join('');
}
