import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's root. */
export const ROOT = join(import.meta.dirname, '../..');

/** A document of the project. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** One document, by its path in the project. */
export function page(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

/** README and everything directly in docs/. */
export const PAGES: readonly Page[] = [
  page('README.md'),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => page(`docs/${name}`)),
];

/** Rows of the table whose head starts with this word: cells without blanks around them and without backticks. */
export function tableRows({ text }: Page, firstHead: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => cellsOf(line)[0] === firstHead);
  const after = lines.slice(head + 2);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return head < 0 ? [] : after.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  if (!line.startsWith('|')) return [];
  const cells = line.slice(1, line.lastIndexOf('|')).split('|');
  return cells.map((cell) => cell.trim().replaceAll('`', ''));
}
