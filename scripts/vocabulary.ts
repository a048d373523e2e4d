import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import { atomicWrite } from '../src/base/atomic-write.ts';
import { FIRST_WORDS } from './first-words.ts';
import { ROOT } from './state-file.ts';
import { vocabularyText } from './vocabulary-text.ts';

// Writes docs/vocabulary.md from src/model and scripts/first-words.ts; with `--check` compares it and fails when it differs.
const paths = (await glob('src/model/*.ts', { cwd: ROOT })).toSorted();
const sources = new Map<string, string>();
for (const path of paths) sources.set(path, await readFile(join(ROOT, path), 'utf8'));
const wanted = vocabularyText(sources, FIRST_WORDS);
const target = join(ROOT, 'docs/vocabulary.md');

if (process.argv.includes('--check')) {
  const found = await readFile(target, 'utf8').catch(() => '');
  if (found !== wanted) {
    console.log(
      'docs/vocabulary.md differs from the doc comments of src/model and scripts/first-words.ts; fix: npm run vocabulary',
    );
    process.exitCode = 1;
  }
} else {
  await atomicWrite(target, wanted);
}
