import { posix } from 'node:path';
import { type ShellCommand, shellCommands } from './shell-words.ts';

/** What a shell text does with files, as far as its words tell. */
export interface ShellActs {
  /** Files whose contents a command gets to see. */
  readonly reads: readonly string[];
  /** Files that are run. */
  readonly runs: readonly string[];
  /** Where the text ends up: relative to `from`, if it never changed to an absolute folder. */
  readonly folder: string;
}

/** Programs that show or change names, sizes and dates, and never what a file holds. */
const BLIND = new Set(
  'ls find fd tree stat test [ [[ du df file realpath readlink basename dirname echo printf pwd mkdir rmdir touch chmod chown rm mv ln which type command true false tee cd pushd popd export set unset exit sleep kill ps wait read local declare return trap umask alias git'.split(
    ' ',
  ),
);
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh']);
const INTERPRETERS = new Set(
  'bash sh zsh dash ksh source . python python2 python3 node deno bun perl ruby php Rscript npx tsx uv pipx java'.split(
    ' ',
  ),
);
const WRAPPERS = new Set(
  'sudo env time nohup nice stdbuf exec builtin timeout xargs do then else if elif while until ! {'.split(
    ' ',
  ),
);
const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;
const MAX_DEPTH = 4;
/** A variable may be put into itself again and again. */
const VALUE_LIMIT = 16 * 1024;

interface Walk {
  folder: string;
  readonly variables: Map<string, string>;
  readonly reads: string[];
  readonly runs: string[];
  /** Names that the commands of this pipeline have shown so far. */
  shown: string[];
}

/** Reads a shell text as run in the folder `from` (empty: not known). */
export function shellActs(text: string, from = ''): ShellActs {
  const walk: Walk = { folder: from, variables: new Map(), reads: [], runs: [], shown: [] };
  walkText(text, walk, 0);
  return { reads: walk.reads, runs: walk.runs, folder: walk.folder };
}

function walkText(text: string, walk: Walk, depth: number): void {
  for (const command of shellCommands(text)) walkCommand(command, walk, depth);
}

function walkCommand({ words, piped }: ShellCommand, walk: Walk, depth: number): void {
  if (!piped) walk.shown = [];
  const [first, variable, of] = words;
  if (first === 'for' && of === 'in' && variable !== undefined) {
    const values = words.slice(3).map((word) => expand(word, walk));
    walk.variables.set(variable, values.join(' '));
    return;
  }
  const invocation = invocationOf(words, walk);
  if (invocation === undefined) return;
  const { name, rest } = invocation;
  const script = SHELLS.has(name) && depth < MAX_DEPTH ? inlineScript(rest) : undefined;
  if (script !== undefined) walkText(script, walk, depth + 1);
  else if (name === 'cd' || name === 'pushd') walk.folder = resolve(rest[0] ?? '', walk.folder);
  else act(invocation, walk);
}

interface Invocation {
  readonly program: string;
  readonly name: string;
  readonly rest: readonly string[];
  /** Gets file names from the pipeline before it. */
  readonly fed: boolean;
}

function act({ program, name, rest, fed }: Invocation, walk: Walk): void {
  const paths = rest.flatMap((word) => pathsIn(word)).map((path) => resolve(path, walk.folder));
  if (BLIND.has(name) && !isFindThatReads(name, rest)) {
    walk.shown.push(...paths);
    return;
  }
  if (program.includes('/')) walk.runs.push(resolve(program, walk.folder));
  const script = INTERPRETERS.has(name) ? scriptOf(rest) : undefined;
  if (script !== undefined) walk.runs.push(resolve(script, walk.folder));
  walk.reads.push(...paths, ...(fed ? walk.shown : []));
}

function isFindThatReads(name: string, rest: readonly string[]): boolean {
  const at = rest.findIndex((word) => /^-(exec|execdir|ok|x|X)$/.test(word));
  return (name === 'find' || name === 'fd') && at !== -1 && !BLIND.has(rest[at + 1] ?? 'ls');
}

/** The first word that is no option, of an interpreter that is not given its program as text. */
function scriptOf(rest: readonly string[]): string | undefined {
  if (rest.some((word) => /^-(c|e|m|lc|ic)?$/.test(word))) return undefined;
  return rest.find((word) => !word.startsWith('-') && word !== 'run');
}

function inlineScript(rest: readonly string[]): string | undefined {
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return at === -1 ? undefined : rest[at + 1];
}

/** The program behind assignments and wrappers, with variables filled in. */
function invocationOf(words: readonly string[], walk: Walk): Invocation | undefined {
  let [index, fed] = [0, false];
  for (; index < words.length; index++) {
    const word = words[index] ?? '';
    const assigned = ASSIGNMENT.exec(word);
    if (assigned?.[1] !== undefined) walk.variables.set(assigned[1], expand(assigned[2] ?? '', walk));
    else if (WRAPPERS.has(word)) fed ||= word === 'xargs';
    else if (index === 0 || !/^(-|\d+[smh]?$)/.test(word)) break;
  }
  const [program, ...rest] = words.slice(index).flatMap((word) => expanded(word, walk));
  return program === undefined ? undefined : { program, name: posix.basename(program), rest, fed };
}

/** A variable that stands alone may hold several words. */
function expanded(word: string, walk: Walk): string[] {
  const value = expand(word, walk);
  return /^\$\{?\w+\}?$/.test(word) ? value.split(' ') : [value];
}

function expand(word: string, { variables }: Walk): string {
  const value = word.replace(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (all, braced, plain) => variables.get(braced ?? plain) ?? all,
  );
  return value.length > word.length ? value.slice(0, Math.max(word.length, VALUE_LIMIT)) : value;
}

/** Paths in a word: the word itself, or what looks like one within a quoted program. */
function pathsIn(word: string): string[] {
  if (!/[\s'"()]/.test(word))
    return word.split(/[=:,]/).filter((part) => part !== '' && !part.startsWith('-'));
  return word.match(/(?<![\w.@%+$*?{}~-])[\w.@%+$*?{}~-]*(?:\/[\w.@%+*?{}-]+)+/g) ?? [];
}

function resolve(path: string, folder: string): string {
  if (/^[/~$]/.test(path) || folder === '') return path;
  return posix.join(folder, path);
}
