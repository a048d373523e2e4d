import { statSync } from 'node:fs';

/**
 * True when a folder holds exactly one folder, and that can be told without listing it: most file systems count a link for a folder
 * itself, one for its name, and one for each folder in it. Where they do not, the answer is no.
 */
export function holdsOneFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.nlink === 3;
}
