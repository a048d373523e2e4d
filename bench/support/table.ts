import Table from 'cli-table3';
import type { Figure } from './figure.ts';

/** The figures as a table for people; figures that only explain others have no target. */
export function tableOf(figures: readonly Figure[]): string {
  const table = new Table({
    head: ['', 'figure', 'ratio', 'target', 'reached'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'left', 'left'],
  });
  for (const { name, figure, unit, ratio, target } of figures) {
    const reached = target === undefined ? '' : target.reached ? 'yes' : 'no';
    table.push([
      name,
      `${digits(figure)} ${unit}`,
      ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
      target?.text ?? '',
      reached,
    ]);
  }
  return `${table.toString()}\n`;
}

/** Three significant digits; whole numbers from 100 on. */
function digits(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
