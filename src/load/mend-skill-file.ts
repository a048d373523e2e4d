import { parseMarkdownHead } from './markdown-head.ts';
import { quotePlainValues } from './quote-plain-values.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const RULE = /^---[ \t]*\r?$/;

/**
 * SKILL.md with everything mended that can be without a choice: byte order mark, CR LF and blanks at the borders of the head, values
 * without the quotes they need, the newline that ends a head. Not a byte below the head changes; without a closed head nothing does.
 */
export function mendSkillFile(text: string): string {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const lines = content.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && RULE.test(line));
  if (!RULE.test(lines[0] ?? '') || end < 0) return text;
  const head = ['---', ...quoted(lines.slice(1, end).map((line) => line.replace(/\r$/, ''))), '---'];
  const body = lines.slice(end + 1);
  return `${head.join('\n')}\n${body.join('\n')}`;
}

/** Lines of a head, quoted where it cannot be read without. */
function quoted(lines: readonly string[]): readonly string[] {
  const parsed = parseMarkdownHead({ text: `---\n${lines.join('\n')}\n---\n`, path: '', folder: '' });
  const problems = parsed.ok ? parsed.value.problems : parsed.error;
  if (!problems.some(({ rule }) => rule.startsWith('unquoted-'))) return lines;
  const changed = quotePlainValues(lines.join('\n')).text.split('\n');
  // Lines that went on with a value were drawn up to it, and stand there empty.
  return changed.filter((line, index) => line !== '' || lines[index]?.trim() === '');
}
