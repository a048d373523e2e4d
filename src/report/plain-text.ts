/**
 * ANSI sequences as whole sequences: CSI, OSC (ended by BEL or ST), other string sequences, two-byte escapes.
 * A string sequence that does not end on its line is no sequence: it must not swallow the text behind it.
 */
const ANSI =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be found
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\n\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

/** What XML 1.0 does not allow, without the lone surrogates that `toWellFormed` mends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be found
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** C1 controls and DEL: legal in XML, but some terminals obey them. */
const TERMINAL_CONTROL = /[\u007f-\u009f]/g;

/** What none of the above can match, nor a carriage return or a lone surrogate: most texts are of this alone. */
const ODD = /[^\t\n -~\u00a0-\ud7ff\ue000-\ufffd]/;

/** Blanks that {@link plainLine} would change. */
const ODD_BLANK = /^\s|\s$|\s\s|[^\S ]/;

/** What stands for a character that could not be kept, so that its loss is visible. */
const REPLACEMENT = '\ufffd';

/**
 * Text of agents, engines and verifiers made harmless: ANSI sequences go whole, and every other control character
 * and lone surrogate becomes U+FFFD. Tab and newline stay; CR LF and lone CR become newline.
 */
export function plainText(text: string): string {
  if (!ODD.test(text)) return text;
  return text
    .replace(ANSI, '')
    .replace(/\r\n?/g, '\n')
    .replace(NOT_XML, REPLACEMENT)
    .replace(TERMINAL_CONTROL, REPLACEMENT)
    .toWellFormed();
}

/**
 * {@link plainText} on one line, for logs and table cells. Its lines are joined with `; `, so that each can still be told
 * from the next; a blank is enough after a line that ends in punctuation.
 */
export function plainLine(text: string): string {
  const plain = plainText(text);
  if (!ODD_BLANK.test(plain)) return plain;
  return plain
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .map((line, place, lines) => (place === lines.length - 1 ? line : `${line}${separator(line)}`))
    .join('');
}

function separator(line: string): string {
  return /[.,:;!?]$/.test(line) ? ' ' : '; ';
}

/** The first line that says something, harmless and cut to so many characters: the head of a message. */
export function firstLine(text: string, most: number): string {
  const [line = ''] = plainText(text)
    .split('\n')
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '');
  return cutLine(line, most);
}

/** A line cut to so many characters, with dots in place of the rest. */
export function cutLine(line: string, most: number): string {
  if (line.length <= most) return line;
  const characters = [...line];
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 3)
        .join('')
        .trimEnd()}...`;
}
