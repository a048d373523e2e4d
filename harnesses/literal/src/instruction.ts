import { commandBlocks } from './command-blocks.ts';

/** What an instruction says in a form that needs no understanding. */
export interface Instruction {
  readonly text: string;
  /** Path of the first line ``- Input: `…` ``. */
  readonly input: string | undefined;
  /** Path of the first line ``- Output: `…` ``. */
  readonly output: string | undefined;
  readonly blocks: readonly string[];
}

/** Reads an instruction's text. */
export function readInstruction(text: string): Instruction {
  return {
    text,
    input: pathAfter('Input', text),
    output: pathAfter('Output', text),
    blocks: commandBlocks(text),
  };
}

function pathAfter(label: string, text: string): string | undefined {
  return new RegExp(`^\\s*[-*] ${label}: \`([^\`\\r\\n]+)\``, 'm').exec(text)?.[1];
}
