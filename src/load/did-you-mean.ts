import { nearest } from '../base/nearest.ts';

/** The repair for a word that is not among the known ones: the nearest, else the whole list. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  return known.length === 0 ? 'remove it' : `use one of: ${known.join(', ')}`;
}
