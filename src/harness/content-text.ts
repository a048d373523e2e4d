/** The text of a tool's answer: a string, or the texts of its parts; anything else as JSON. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part) => partText(part)).join('\n');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string')
    return part.text;
  return JSON.stringify(part) ?? '';
}
