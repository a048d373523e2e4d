import { commandBlocks } from './command-blocks.ts';

/** Whose blocks are run, and on what. */
export interface Work {
  /** Markdown text with the blocks. */
  readonly markdown: string;
  /** Container path of the Skill's folder, where the blocks are a Skill's. */
  readonly skillDir?: string | undefined;
  /** The instruction, which may name input and output. */
  readonly instruction: string;
}

/**
 * One shell command that runs all command blocks of a text, one after the other, until one fails; undefined where there is
 * none. A block finds `SKILL_DIR`, `INPUT` and `OUTPUT` in its environment, as far as they are known. All is in a subshell:
 * some harnesses keep one shell for all commands, and that must live on.
 */
export function workCommand({ markdown, skillDir, instruction }: Work): string | undefined {
  const blocks = commandBlocks(markdown).filter((block) => block.trim() !== '');
  if (blocks.length === 0) return undefined;
  const { input, output } = namedFiles(instruction);
  const variables = Object.entries({ SKILL_DIR: skillDir, INPUT: input, OUTPUT: output }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)}`]),
  );
  const filled = blocks.map((block) => fillIn(block, { '<input>': input, '<output>': output }));
  const lines = [
    'set -eu',
    ...(variables.length === 0 ? [] : [`export ${variables.join(' ')}`]),
    // Each in a shell of its own, so that one block's variables and folder are not the next one's.
    ...(filled.length === 1 ? filled : filled.map((block) => `(\n${block}\n)`)),
  ];
  return `(\n${lines.join('\n')}\n)`;
}

/** The files that an instruction names in lines ``- Input: `…` `` and ``- Output: `…` ``; the first of each. */
export function namedFiles(instruction: string): { readonly input?: string; readonly output?: string } {
  const [input, output] = ['Input', 'Output'].map(
    (label) => new RegExp(`^\\s*[-*] ${label}: \`([^\`\\r\\n]+)\``, 'm').exec(instruction)?.[1],
  );
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
}

function fillIn(block: string, paths: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(paths).reduce(
    (text, [mark, path]) => (path === undefined ? text : text.replaceAll(mark, quoted(path))),
    block,
  );
}

/** A word of a shell command, quoted where the shell would take it for something else. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
