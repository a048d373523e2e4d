import type { Place, Problem } from '../model/problem.ts';

/** The keys and indices that lead to a value in a file. */
export type ValuePath = readonly PropertyKey[];

/**
 * Finds the place of a value (or of its key) in the file; of its nearest parent when it is not written there, and of the
 * file as a whole (no line) when nothing of it is.
 */
export type Locate = (path: ValuePath, what?: 'key' | 'value') => Place;

/** A file that was read and fits its schema, with the way back to its lines for later checks. */
export interface LocatedFile<T> {
  readonly path: string;
  readonly value: T;
  /** What the file itself says, before defaults: tells a written value from a default one. */
  readonly written: unknown;
  readonly locate: Locate;
  /** Warnings only: with an error there is no file. */
  readonly problems: readonly Problem[];
}

/** The value at a path, or undefined where the path leaves the data. */
export function valueAt(value: unknown, path: ValuePath): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}

/** `tasks.folders[0]`, as people write it. */
export function pathText(path: ValuePath): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
