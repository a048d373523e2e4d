import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import { brokenLinks } from './broken-links.ts';
import { mergeMarks } from './merge-marks.ts';
import { ROOT } from './state-file.ts';

// Prints every relative link of a document that leads nowhere, and what a merge left standing; fails when there is one.
const documents = await glob(
  ['*.md', 'docs/**/*.md', 'harnesses/**/*.md', 'bench/**/*.md', 'tests/**/*.md'],
  // A stored report links into the run folder that it came from.
  { cwd: ROOT, ignore: ['tests/golden/**'] },
);
const tree = {
  exists: (path: string) => existsSync(join(ROOT, path)),
  read: (path: string) => readFileSync(join(ROOT, path), 'utf8'),
};
for (const path of documents.toSorted()) {
  for (const line of mergeMarks(tree.read(path))) {
    console.log(`${path}:${line}: a merge left both sides standing`);
    process.exitCode = 1;
  }
  for (const { line, target, reason } of brokenLinks(path, tree)) {
    console.log(`${path}:${line}: the link to ${target} is broken: ${reason}`);
    process.exitCode = 1;
  }
}
