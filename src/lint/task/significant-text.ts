/** A line that says something: what is alike by chance (imports, brackets, comments, short lines) left out. */
export interface SignificantLine {
  /** White space counted as one blank. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const LEAST_LENGTH = 16;
const COMMON =
  /^(?:import |from \S+ import|#|\/\/|\/\*|\*|"""|'''|<\/?\w+>$|(?:def|class|function|async def) \w+\(\)|if __name__|return (?:True|False|None|0|1)|with open\(|except |set -|json\.dump|print\(|echo |pip3? install|plt\.)/;

/** The significant lines of a text, in order. */
export function significantLines(text: string): SignificantLine[] {
  const found: SignificantLine[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = collapsedLine(raw);
    if (line !== undefined && isSignificant(line)) found.push({ text: line, line: index + 1 });
  }
  return found;
}

/** Which of some significant lines stand in a text; cheaper than all of its lines. */
export function linesAmong(text: string, wanted: ReadonlySet<string>): string[] {
  return text.split('\n').flatMap((raw) => {
    const line = collapsedLine(raw);
    return line !== undefined && wanted.has(line) ? [line] : [];
  });
}

/** White space counted as one blank; undefined where too little is left. */
function collapsedLine(raw: string): string | undefined {
  if (raw.length < LEAST_LENGTH) return undefined;
  const trimmed = raw.trim();
  const isPlain = !trimmed.includes('  ') && !trimmed.includes('\t');
  const line = isPlain ? trimmed : trimmed.replace(/\s+/g, ' ');
  return line.length < LEAST_LENGTH ? undefined : line;
}

function isSignificant(line: string): boolean {
  return !COMMON.test(line) && (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_LENGTH / 2;
}

/** A value written in a text, where it stands first. */
export interface Literal {
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

const NUMBER = /(?<![\w.#-])-?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]*\w)/g;
/** From the dot on, since words are many and endings few; what stands before is read backwards. */
const FILE_ENDING = /\.(?:csv|json|txt|xlsx|docx|pdf|yaml|xml|npy|obj|srt|md|html)(?![\w/.])/g;
const LEAST_NAME = 3;
/** Names that every other project has. */
const EVERYDAY =
  /^(?:SKILL|README|reference|output|outputs|input|data|config|package|package-lock|requirements|LICENSE|results?|report|test|example|template|document|file|index|settings|tsconfig|manifest)\./i;

/** Numbers with at least four significant digits that are no years or round values, by their value. */
export function tellingNumbers(text: string): Literal[] {
  return literals(text, text.matchAll(NUMBER), (written) => {
    if (written.length < 4) return undefined;
    const value = Number(written.replaceAll('_', ''));
    const digits = written
      .replace(/[eE].*$/, '')
      .replace(/\D/g, '')
      .replace(/^0+|0+$/g, '');
    const isYear = Number.isInteger(value) && Math.abs(value) >= 1900 && Math.abs(value) <= 2100;
    const isBinary =
      Number.isInteger(Math.log2(Math.abs(value))) || Number.isInteger(Math.log2(Math.abs(value) + 1));
    if (
      !Number.isFinite(value) ||
      digits.length < 4 ||
      isYear ||
      isBinary ||
      EVERYDAY_NUMBERS.has(Math.abs(value))
    )
      return undefined;
    return String(Math.abs(value));
  });
}

const EVERYDAY_NUMBERS = new Set([
  12345,
  123456,
  1234567,
  86400,
  Math.PI,
  31536000,
  0.9999,
  9999,
  99999,
  999999,
]);

/** Names of files that are nobody's everyday names. */
export function tellingFileNames(text: string): Literal[] {
  return literals(text, fileNames(text), (written) => (EVERYDAY.test(written) ? undefined : written));
}

function* fileNames(text: string): Generator<Written> {
  for (const { 0: ending, index } of text.matchAll(FILE_ENDING)) {
    let start = index;
    while (start > 0 && /[\w-]/.test(text[start - 1] ?? '')) start -= 1;
    const isAfterPath = start > 0 && /[./]/.test(text[start - 1] ?? '');
    if (index - start >= LEAST_NAME && !isAfterPath)
      yield { 0: text.slice(start, index + ending.length), index: start };
  }
}

/** As it stands in a text, and where. */
interface Written {
  readonly 0: string;
  readonly index: number;
}

function literals(
  text: string,
  found: Iterable<Written>,
  read: (written: string) => string | undefined,
): Literal[] {
  const offsets = new Map<string, number>();
  for (const { 0: written, index } of found) {
    const value = read(written);
    if (value !== undefined && !offsets.has(value)) offsets.set(value, index);
  }
  // In the order of the text, so each line is counted once.
  let [line, from] = [1, 0];
  return [...offsets].map(([value, offset]) => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < offset; at = text.indexOf('\n', from)) {
      line += 1;
      from = at + 1;
    }
    return { value, line };
  });
}
