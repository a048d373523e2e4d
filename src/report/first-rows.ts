import { formatCount } from './format.ts';

/** How many rows a list may have, and where all of them are. */
export interface RowLimit {
  readonly most: number;
  readonly where: string;
}

/**
 * The first items of a list as rows, and a last row that says how many more there are and where. No list is cut in silence, and no
 * row is made that is not shown.
 */
export function firstRows<T>(
  items: readonly T[],
  row: (item: T) => string,
  { most, where }: RowLimit,
): string[] {
  const rows = items.slice(0, most).map(row);
  return items.length <= most ? rows : [...rows, `- ${formatCount(items.length - most)} more in ${where}`];
}
