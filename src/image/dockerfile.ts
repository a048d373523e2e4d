import { DockerfileParser, type Instruction as Parsed } from 'dockerfile-ast';
import { err, ok, type Result } from '../base/result.ts';
import type { Problem } from '../model/problem.ts';
import { expandWord } from './expand-word.ts';
import {
  type DockerfileSource,
  type InstructionText,
  readInstructionText,
  type TextRange,
} from './instruction-text.ts';
import { lineStarts } from './line-starts.ts';
import { unsupportedProblem } from './unsupported-instruction.ts';

/** One instruction of a Dockerfile, with its place. */
export interface Instruction extends InstructionText {
  /** Upper case, whatever the file has. */
  readonly keyword: string;
  /** From 1. */
  readonly line: number;
  /** Place among all instructions, from 1: the builder's step number. */
  readonly ordinal: number;
  /** `NAME=value` pairs of ENV and ARG, not expanded; a value is absent for `ARG NAME`. */
  readonly pairs: readonly { readonly name: string; readonly value: string | undefined }[];
}

/** FROM and what follows it, up to the next FROM. */
export interface Stage {
  readonly index: number;
  /** Lower case: stage names do not mind case. */
  readonly name: string | undefined;
  readonly line: number;
  /** As FROM names it, with the ARGs before the first FROM expanded. */
  readonly image: string;
  /** The earlier stage this one starts from, where `image` names one. */
  readonly parent: number | undefined;
  readonly platform: string | undefined;
  /** From the first flag of FROM to the end of the image name. */
  readonly imageRange: TextRange;
  readonly instructions: readonly Instruction[];
}

/** A Dockerfile that the engine's builder can be given. */
export interface Dockerfile {
  /** For messages. */
  readonly file: string;
  readonly text: string;
  readonly escapeChar: string;
  /** ARGs before the first FROM: a stage that names one without a value takes it from here. */
  readonly globals: ReadonlyMap<string, string>;
  readonly stages: readonly Stage[];
}

const KNOWN = new Set(
  `ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER
VOLUME WORKDIR`.split(/\s+/),
);

/**
 * `<<` in disguise: the library would take what follows as a here-document and swallow instructions, where the plain
 * builder, which knows none, goes on line by line.
 */
const DISGUISE = '\u0001\u0001';

/** Parses a Dockerfile; all that would stop the builder later is told at once, with lines. `file` is for messages. */
export function parseDockerfile(file: string, text: string): Result<Dockerfile, readonly Problem[]> {
  const parsed = DockerfileParser.parse(text.replaceAll('<<', DISGUISE));
  const escapeChar = parsed.getEscapeCharacter();
  const source = { text, starts: lineStarts(text), escapeChar };
  const instructions = parsed
    .getInstructions()
    .map((each, index) => ({ ordinal: index + 1, ...toInstruction(each, source) }));
  const problems = allProblems(file, instructions);
  const first = instructions.find((each) => each.keyword !== 'ARG');
  if (first === undefined) problems.push(problem(file, 1, 'the Dockerfile has no FROM'));
  else if (first.keyword !== 'FROM' && problems.length === 0)
    problems.push(problem(file, first.line, `${first.keyword} stands before the first FROM`));
  if (problems.length > 0) return err(problems);
  return ok({ file, text, escapeChar, ...toStages(instructions, escapeChar) });
}

/** Lines of a here-document are no instructions of their own. */
function allProblems(file: string, instructions: readonly Instruction[]): Problem[] {
  const problems: Problem[] = [];
  let swallowed = 0;
  for (const instruction of instructions) {
    if (instruction.line <= swallowed) continue;
    if (instruction.hereDocument > 0) swallowed = instruction.lastLine + instruction.hereDocument;
    problems.push(...instructionProblems(file, instruction));
  }
  return problems;
}

function problem(file: string, line: number, message: string, repair?: string): Problem {
  return { severity: 'error', message, where: { file, line }, ...(repair === undefined ? {} : { repair }) };
}

function instructionProblems(file: string, instruction: Instruction): Problem[] {
  const { keyword, line } = instruction;
  if (!KNOWN.has(keyword)) return [problem(file, line, `unknown instruction ${keyword}`)];
  if (keyword === 'FROM' && instruction.words.length === 0)
    return [problem(file, line, 'FROM names no image')];
  if (
    (keyword === 'COPY' || keyword === 'ADD') &&
    instruction.words.length < 2 &&
    instruction.hereDocument === 0
  )
    return [problem(file, line, `${keyword} needs at least one source and a destination`)];
  const unsupported = unsupportedProblem(instruction);
  return unsupported === undefined ? [] : [problem(file, line, unsupported.message, unsupported.repair)];
}

function toInstruction(parsed: Parsed, source: DockerfileSource): Omit<Instruction, 'ordinal'> {
  return {
    keyword: parsed.getKeyword(),
    line: parsed.getRange().start.line + 1,
    pairs: pairsOf(parsed),
    ...readInstructionText(parsed, source),
  };
}

/** The library's own reading of NAME=value, quotes still on. */
function pairsOf(parsed: Parsed): Instruction['pairs'] {
  if (!('getProperties' in parsed)) return [];
  const properties = (
    parsed as unknown as { getProperties(): { getName(): string; getUnescapedValue(): string | null }[] }
  ).getProperties();
  return properties.map((each) => ({ name: each.getName(), value: plain(each.getUnescapedValue()) }));
}

function plain(text: string | null): string | undefined {
  return text?.replaceAll(DISGUISE, '<<');
}

function toStages(
  instructions: readonly Instruction[],
  escapeChar: string,
): Pick<Dockerfile, 'globals' | 'stages'> {
  const globals = new Map<string, string>();
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructions) {
    const current = stages.at(-1);
    if (instruction.keyword === 'FROM') stages.push(toStage(instruction, { stages, globals, escapeChar }));
    else if (current !== undefined) current.instructions.push(instruction);
    else
      for (const { name, value } of instruction.pairs)
        globals.set(name, expandWord(value ?? '', globals, escapeChar));
  }
  return { globals, stages };
}

function toStage(
  from: Instruction,
  known: { stages: readonly Stage[]; globals: ReadonlyMap<string, string>; escapeChar: string },
): Stage & { instructions: Instruction[] } {
  const [imageWord, as, nameWord] = from.words;
  const image = expandWord(imageWord?.text ?? '', known.globals, known.escapeChar);
  const named = as?.text.toLowerCase() === 'as' ? nameWord?.text.toLowerCase() : undefined;
  const platform = from.flags.find((flag) => flag.name === 'platform');
  return {
    index: known.stages.length,
    name: named,
    line: from.line,
    image,
    parent: known.stages.findLast((stage) => stage.name === image.toLowerCase())?.index,
    platform:
      platform === undefined ? undefined : expandWord(platform.value, known.globals, known.escapeChar),
    imageRange: {
      start: from.flags[0]?.range.start ?? imageWord?.range.start ?? 0,
      end: imageWord?.range.end ?? 0,
    },
    instructions: [],
  };
}
