/** Values of ARG and ENV where a word stands. */
export type Variables = ReadonlyMap<string, string>;

const VARIABLE = /^\$(?:([A-Za-z_]\w*)|(\d)|\{([A-Za-z_]\w*)(?:(:?[-+?])((?:[^{}]|\$\{[^{}]*\})*))?\})/;

/**
 * One word of a Dockerfile as the builder reads it: quotes taken off, `$NAME`, `${NAME}`, `${NAME:-word}` and
 * `${NAME:+word}` replaced. An unset variable is the empty string.
 */
export function expandWord(word: string, variables: Variables, escapeChar = '\\'): string {
  let out = '';
  let quote = '';
  for (let at = 0; at < word.length; ) {
    const char = word.charAt(at);
    const literalQuote = quote === "'";
    let piece: readonly [string, number] = [char, 1];
    if (!literalQuote && char === escapeChar) piece = [escaped(word.charAt(at + 1), quote, escapeChar), 2];
    else if (isQuote(char, quote)) {
      quote = quote === '' ? char : '';
      piece = ['', 1];
    } else if (!literalQuote) piece = nextPiece(word.slice(at), variables, escapeChar);
    out += piece[0];
    at += piece[1];
  }
  return out;
}

function isQuote(char: string, open: string): boolean {
  return open === '' ? char === '"' || char === "'" : char === open;
}

/** Inside double quotes only `"`, `$` and the escape itself can be escaped. */
function escaped(next: string, quote: string, escapeChar: string): string {
  return quote === '"' && next !== '"' && next !== '$' && next !== escapeChar ? escapeChar + next : next;
}

function nextPiece(rest: string, variables: Variables, escapeChar: string): readonly [string, number] {
  const match = VARIABLE.exec(rest);
  if (match === null) return [rest.charAt(0), 1];
  const name = match[1] ?? match[2] ?? match[3] ?? '';
  const value = variables.get(name);
  const operator = match[4] ?? '';
  const word = match[5] ?? '';
  const counts = operator.startsWith(':') ? value !== undefined && value !== '' : value !== undefined;
  if (operator.endsWith('+')) return [counts ? expandWord(word, variables, escapeChar) : '', match[0].length];
  if (operator.endsWith('-') && !counts) return [expandWord(word, variables, escapeChar), match[0].length];
  return [value ?? '', match[0].length];
}
