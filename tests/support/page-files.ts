import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that a page tells its reader to write. */
export interface PageFile {
  readonly path: string;
  readonly content: string;
}

const FENCE = /^(`{3,})([^`]*)$/;
const PATH = /^[\w.-]+(?:\/[\w.-]+)+$/;

/** A fenced block, and the paragraph before it. */
interface Block {
  readonly language: string;
  readonly lines: readonly string[];
  readonly paragraph: string;
}

/**
 * The files of a page: each fenced block behind a paragraph that names a path in backticks (the last one, with a `/` and
 * without blanks). That is how a person reads "`tasks/x/task.yaml`" and the block below it.
 */
export function pageFiles(markdown: string): readonly PageFile[] {
  return blocksOf(markdown).flatMap(({ paragraph, lines }) => {
    const path = pathIn(paragraph);
    return path === undefined ? [] : [{ path, content: lines.map((line) => `${line}\n`).join('') }];
  });
}

/** Fenced blocks of a page in one of these languages, without their fences. */
export function pageBlocks(markdown: string, languages: readonly string[]): readonly string[] {
  const blocks = blocksOf(markdown).filter(({ language }) => languages.includes(language));
  return blocks.map(({ lines }) => lines.join('\n'));
}

function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, fence, language = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const end = lines.indexOf(fence, at + 1);
    const paragraph = paragraphBefore(lines, at);
    blocks.push({ language: language.trim(), lines: lines.slice(at + 1, end), paragraph });
    at = end;
  }
  return blocks;
}

function paragraphBefore(lines: readonly string[], at: number): string {
  const before = lines.slice(0, at).join('\n').trimEnd();
  return before.slice(before.lastIndexOf('\n\n') + 1);
}

/** Writes the files of a page below a folder. */
export async function writePageFiles(root: string, files: readonly PageFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

function pathIn(paragraph: string): string | undefined {
  const spans = [...paragraph.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return spans.findLast((code) => PATH.test(code));
}
