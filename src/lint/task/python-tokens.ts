/** One token of a Python file; comments and white space are none. */
export interface PythonToken {
  readonly kind: 'name' | 'number' | 'string' | 'operator';
  /** As written; of a string what stands between the quotes. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Of strings that are filled in: `f"…"`. */
  readonly isFormatted?: true;
}

/** A line of Python with all that its brackets, long strings and backslashes draw in. */
export interface PythonLine {
  /** Where it begins, from 1. */
  readonly line: number;
  /** Columns of white space before it; a tab counts up to the next multiple of eight. */
  readonly indent: number;
  readonly tokens: readonly PythonToken[];
}

const TOKEN =
  /(?<string>(?:[rbuf]{0,2})(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'))|(?<comment>#[^\n]*)|(?<joined>\\\r?\n)|(?<newline>\r?\n)|(?<blank>[ \t\f\r\uFEFF]+)|(?<number>(?:\d[\w.]*(?:(?<=[eE])[+-]\d+)?|\.\d\w*))|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<operator>->|:=|[<>=!*/%+\-&|^@]=|\*\*|\/\/|<<|>>|[\s\S])/giuy;

/**
 * Cuts a Python file into logical lines of tokens: enough to find functions and what they call. A text that is no
 * Python gives tokens all the same; nothing is refused.
 */
export function pythonLines(text: string): PythonLine[] {
  const reader = new LineReader();
  for (const match of text.matchAll(TOKEN)) reader.take(match[0], match.groups ?? {});
  return reader.end();
}

interface OpenLine extends PythonLine {
  readonly tokens: PythonToken[];
}

class LineReader {
  readonly #lines: PythonLine[] = [];
  #open: OpenLine | undefined;
  #line = 1;
  #depth = 0;
  #indent = 0;

  take(whole: string, groups: Readonly<Record<string, string | undefined>>): void {
    const { newline, blank } = groups;
    const kind = KINDS.find((each) => groups[each] !== undefined);
    if (kind !== undefined) this.#add(kind, whole);
    else if (newline !== undefined) this.#newline();
    else if (this.#open === undefined && blank !== undefined) this.#indent = widthOf(whole);
    this.#line += newlinesIn(whole);
  }

  end(): PythonLine[] {
    if (this.#open !== undefined) this.#lines.push(this.#open);
    this.#open = undefined;
    return this.#lines;
  }

  #add(kind: PythonToken['kind'], whole: string): void {
    this.#open ??= { line: this.#line, indent: this.#indent, tokens: [] };
    this.#open.tokens.push(
      kind === 'string' ? stringToken(whole, this.#line) : { kind, text: whole, line: this.#line },
    );
    if (kind === 'operator') this.#depth = Math.max(0, this.#depth + depthOf(whole));
  }

  #newline(): void {
    if (this.#depth > 0) return;
    this.end();
    this.#indent = 0;
  }
}

const KINDS = ['string', 'number', 'name', 'operator'] as const;

function stringToken(whole: string, line: number): PythonToken {
  const token = { kind: 'string', text: between(whole), line } as const;
  return /^[a-z]?f/i.test(whole) ? { ...token, isFormatted: true } : token;
}

function between(written: string): string {
  const quoted = written.replace(/^[a-z]*/i, '');
  const width = /^("""|''')/.test(quoted) ? 3 : 1;
  return quoted.slice(width, -width);
}

function depthOf(operator: string): number {
  if ('([{'.includes(operator)) return 1;
  return ')]}'.includes(operator) ? -1 : 0;
}

function widthOf(blank: string): number {
  let width = 0;
  for (const char of blank) width = char === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
  return width;
}

function newlinesIn(text: string): number {
  return text.includes('\n') ? text.split('\n').length - 1 : 0;
}
