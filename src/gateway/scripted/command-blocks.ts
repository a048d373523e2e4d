const OPENING = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/;

/** The fenced blocks of a Markdown text whose language is exactly `sh` or `bash`, in order: those that an agent may run. */
export function commandBlocks(markdown: string): readonly string[] {
  const blocks: string[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, language = ''] = OPENING.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const length = lines.slice(at + 1).findIndex((line) => isClosing(line, fence));
    if (length === -1) return blocks;
    const inner = lines.slice(at + 1, at + 1 + length);
    // A block within a list item is indented as its fence is.
    const outdented = inner.map((line) =>
      line.startsWith(indent) ? line.slice(indent.length) : line.trimStart(),
    );
    if (/^(sh|bash)$/.test(language)) blocks.push(outdented.join('\n'));
    at += length + 1;
  }
  return blocks;
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence.slice(0, 1).repeat(text.length);
}
