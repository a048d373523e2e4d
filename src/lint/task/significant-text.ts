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
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = raw.trim().replace(/\s+/g, ' ');
    const letters = line.replace(/[^\p{L}\p{N}]/gu, '').length;
    return line.length < LEAST_LENGTH || letters < LEAST_LENGTH / 2 || COMMON.test(line)
      ? []
      : [{ text: line, line: index + 1 }];
  });
}

/** A value written in a text, where it stands first. */
export interface Literal {
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

const NUMBER = /(?<![\w.#-])-?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]*\w)/g;
const FILE_NAME =
  /(?<![\w./-])[\w-]{3,}\.(?:csv|json|txt|xlsx|docx|pdf|yaml|xml|npy|obj|srt|md|html)(?![\w/.])/g;
/** Names that every other project has. */
const EVERYDAY =
  /^(?:SKILL|README|reference|output|outputs|input|data|config|package|package-lock|requirements|LICENSE|results?|report|test|example|template|document|file|index|settings|tsconfig|manifest)\./i;

/** Numbers with at least four significant digits that are no years or round values, by their value. */
export function tellingNumbers(text: string): Literal[] {
  return literals(text, NUMBER, (written) => {
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
  return literals(text, FILE_NAME, (written) => (EVERYDAY.test(written) ? undefined : written));
}

function literals(text: string, pattern: RegExp, read: (written: string) => string | undefined): Literal[] {
  const found = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries())
    for (const [written] of line.matchAll(pattern)) {
      const value = read(written);
      if (value !== undefined && !found.has(value)) found.set(value, index + 1);
    }
  return [...found].map(([value, line]) => ({ value, line }));
}
