import { formatCount } from './format.ts';

/** The first rows of a list, and a last one that says how many more there are and where. No list is cut in silence. */
export function firstRows(rows: readonly string[], most: number, where: string): string[] {
  if (rows.length <= most) return [...rows];
  return [...rows.slice(0, most), `- ${formatCount(rows.length - most)} more in ${where}`];
}
