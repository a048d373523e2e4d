import type { ContentFile } from '../../model/task-content.ts';
import { callsIn, pythonSource } from './python-functions.ts';
import type { PythonLine, PythonToken } from './python-tokens.ts';
import type { Remark } from './task-rule.ts';

/** A Python file of a task, and where its names come from. */
export interface PythonSource {
  readonly file: ContentFile;
  readonly lines: readonly PythonLine[];
  /** Whole names by those that the file's imports give: `dt` for `import datetime as dt`. */
  readonly imports: ReadonlyMap<string, string>;
}

/** One call. */
export interface PythonCall {
  /** Whole, whatever the import called it: `numpy.random.rand`. */
  readonly name: string;
  /** As it stands in the file. */
  readonly written: string;
  readonly line: number;
  /** All of the statement, and where the opening bracket stands in it. */
  readonly tokens: readonly PythonToken[];
  readonly at: number;
}

/** Usual short names, for files that get them from elsewhere. */
const USUAL: Readonly<Record<string, string>> = { np: 'numpy', pd: 'pandas' };

/** The Python files among a task's files. */
export function pythonSources(files: readonly ContentFile[]): PythonSource[] {
  return files.flatMap((file) => {
    const lines = pythonSource(file);
    return lines === undefined ? [] : [{ file, lines, imports: importsOf(lines) }];
  });
}

/** All calls, in the order of the file. */
export function pythonCalls({ lines, imports }: PythonSource): PythonCall[] {
  return lines.flatMap(({ tokens }) =>
    callsIn(tokens).map(({ name: written, at }) => {
      const [root = '', ...rest] = written.split('.');
      const whole = imports.get(root) ?? USUAL[root] ?? root;
      return { name: [whole, ...rest].join('.'), written, line: tokens[at]?.line ?? 1, tokens, at };
    }),
  );
}

/** True for `f()` and `f(None)`. */
export function isBare({ tokens, at }: PythonCall): boolean {
  return tokens[at + 1]?.text === ')' || (tokens[at + 1]?.text === 'None' && tokens[at + 2]?.text === ')');
}

function importsOf(lines: readonly PythonLine[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { tokens } of lines) {
    const words = tokens.map(({ text }) => text).filter((text) => text !== '(' && text !== ')');
    if (words[0] === 'import') addNames(found, '', words.slice(1));
    if (words[0] !== 'from') continue;
    const at = words.indexOf('import');
    if (at > 0) addNames(found, `${words.slice(1, at).join('')}.`, words.slice(at + 1));
  }
  return found;
}

/** `a.b as c, d`: c is a.b, d is d. Of `import a.b` the name is `a`, which is itself. */
function addNames(found: Map<string, string>, prefix: string, words: readonly string[]): void {
  for (const part of words.join(' ').split(' , ')) {
    const [name = '', alias] = part.replaceAll(' . ', '.').split(' as ');
    if (alias !== undefined) found.set(alias.trim(), prefix + name.trim());
    else if (prefix !== '') found.set(name.trim(), prefix + name.trim());
  }
}

/** A warning at a line of a file: what is there, why it matters, and what to do. */
export function warnAt(
  { file }: { readonly file: ContentFile },
  line: number,
  { what, why, repair }: { readonly what: string; readonly why: string; readonly repair: string },
): Remark {
  return { severity: 'warning', message: `${what} ${why}`, where: { file: file.hostPath, line }, repair };
}
