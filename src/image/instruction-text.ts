import type { Instruction as Parsed } from 'dockerfile-ast';
import { hereDocumentLines } from './here-document.ts';

/** Offsets into the Dockerfile's text, end excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A word and where it stands. `text` is as written, but without the quotes of the JSON form. */
export interface Word {
  readonly text: string;
  readonly range: TextRange;
}

/** What stands behind an instruction's keyword. */
export interface InstructionText {
  readonly flags: readonly { readonly name: string; readonly value: string; readonly range: TextRange }[];
  readonly words: readonly Word[];
  /** The words are a JSON array: nothing splits them at white space. */
  readonly json: boolean;
  /** Everything after keyword and flags on one line: continued lines joined, comments between them left out. */
  readonly argumentText: string;
  /** The line it ends on, from 1. */
  readonly lastLine: number;
  /** Lines below it that BuildKit would take as its here-documents. */
  readonly hereDocument: number;
}

/** A Dockerfile's text, and where its lines start. */
export interface DockerfileSource {
  readonly text: string;
  readonly starts: readonly number[];
  readonly escapeChar: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Reads one parsed instruction. The JSON form is read from the text, since the library drops spaces inside its strings. */
export function readInstructionText(parsed: Parsed, source: DockerfileSource): InstructionText {
  const offset = (at: Position) => (source.starts[at.line] ?? 0) + at.character;
  const range = (of: { start: Position; end: Position }) => ({
    start: offset(of.start),
    end: offset(of.end),
  });
  const flags = flagsOf(parsed).map((flag) => ({
    name: flag.getName().toLowerCase(),
    value: flag.getValue() ?? '',
    range: range(flag.getRange()),
  }));
  const whole = range(parsed.getRange());
  const start = flags.at(-1)?.range.end ?? offset(parsed.getInstructionRange().end);
  const masked = maskContinuations(source.text.slice(start, whole.end), source.escapeChar);
  const json = jsonWords(masked, start);
  const words = parsed.getArguments().map((word) => {
    const at = range(word.getRange());
    // A word over several lines has the library's joined text, any other one its own.
    const written = source.text.slice(at.start, at.end);
    return { text: /[\r\n]/.test(written) ? word.getValue() : written, range: at };
  });
  const argumentText = masked.replace(/\s+/g, ' ').trim();
  const below = source.text
    .slice(whole.end)
    .split(/\r\n|\n|\r/)
    .slice(1);
  return {
    flags,
    words: json ?? words,
    json: json !== undefined,
    argumentText,
    lastLine: parsed.getRange().end.line + 1,
    hereDocument: mayHaveHereDocument(parsed) ? hereDocumentLines(argumentText, below) : 0,
  };
}

function mayHaveHereDocument(parsed: Parsed): boolean {
  return ['RUN', 'COPY', 'ADD'].includes(parsed.getKeyword());
}

function flagsOf(parsed: Parsed) {
  if (!('getFlags' in parsed)) return [];
  return (
    parsed as unknown as {
      getFlags(): {
        getName(): string;
        getValue(): string | null;
        getRange(): { start: Position; end: Position };
      }[];
    }
  ).getFlags();
}

/** Blanks out escapes at line ends and comment lines between continued lines, so that offsets stay. */
function maskContinuations(text: string, escapeChar: string): string {
  const pattern = escapeChar === '`' ? /`[ \t]*(?=\r?\n|\r|$)/g : /\\[ \t]*(?=\r?\n|\r|$)/g;
  return text
    .replace(pattern, (found) => ' '.repeat(found.length))
    .replace(/(?<=[\r\n])[ \t]*#[^\r\n]*/g, (found) => ' '.repeat(found.length));
}

function jsonWords(masked: string, start: number): Word[] | undefined {
  if (!/^\s*\[[\s\S]*\]\s*$/.test(masked)) return undefined;
  try {
    const values: unknown = JSON.parse(masked.replace(/[\r\n]/g, ' '));
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return undefined;
  } catch {
    return undefined; // Then the builder, too, takes the line as shell form.
  }
  return [...masked.matchAll(/"(?:[^"\\]|\\.)*"/g)].map((found) => ({
    text: JSON.parse(found[0]) as string,
    range: { start: start + found.index, end: start + found.index + found[0].length },
  }));
}
