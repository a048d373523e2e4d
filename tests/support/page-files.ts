import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that a page tells its reader to write. */
export interface PageFile {
  readonly path: string;
  readonly content: string;
}

const FENCE = /^(`{3,})([^`]*)$/;
const PATH = /^[\w.-]+(?:\/[\w.-]+)+$/;

/**
 * The files of a page: each fenced block behind a paragraph that names a path in backticks (the last one, with a `/` and
 * without blanks). That is how a person reads "`tasks/x/task.yaml`" and the block below it.
 */
export function pageFiles(markdown: string): readonly PageFile[] {
  const lines = markdown.split('\n');
  const files: PageFile[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      if (line !== '') path = pathIn(line) ?? (isStart(lines, at) ? undefined : path);
      continue;
    }
    const end = lines.indexOf(fence, at + 1);
    const content = lines.slice(at + 1, end).map((text) => `${text}\n`);
    if (path !== undefined) files.push({ path, content: content.join('') });
    path = undefined;
    at = end;
  }
  return files;
}

/** Fenced blocks of a page in one of these languages, without their fences. */
export function pageBlocks(markdown: string, languages: readonly string[]): readonly string[] {
  const lines = markdown.split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, fence, language = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const end = lines.indexOf(fence, at + 1);
    if (languages.includes(language.trim())) blocks.push(lines.slice(at + 1, end).join('\n'));
    at = end;
  }
  return blocks;
}

/** Writes the files of a page below a folder. */
export async function writePageFiles(root: string, files: readonly PageFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

function pathIn(line: string): string | undefined {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).findLast((code) => PATH.test(code));
}

function isStart(lines: readonly string[], at: number): boolean {
  return at === 0 || lines[at - 1] === '';
}
