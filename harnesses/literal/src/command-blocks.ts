const OPENING = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/;

/** The fenced `sh` and `bash` blocks of a Markdown text, in order. Blocks with a further word (```` ```sh example ````) are not commands. */
export function commandBlocks(markdown: string): readonly string[] {
  const blocks: string[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, info = ''] = OPENING.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const start = at + 1;
    for (at = start; at < lines.length && !closes(lines[at] ?? '', fence); at++);
    const isCommand = at < lines.length && /^(sh|bash)$/.test(info);
    if (isCommand)
      blocks.push(
        lines
          .slice(start, at)
          .map((line) => outdent(line, indent))
          .join('\n'),
      );
  }
  return blocks;
}

function closes(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length);
}

/** A block within a list item is indented as its fence is. */
function outdent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}
