import type { ContentFile } from '../../model/task-content.ts';
import { type PythonLine, type PythonToken, pythonLines } from './python-tokens.ts';

/** A function of a Python file, methods included. */
export interface PythonFunction {
  readonly name: string;
  readonly line: number;
  /** All lines of its body, functions inside it included. */
  readonly body: readonly PythonLine[];
}

const known = new WeakMap<ContentFile, readonly PythonLine[]>();

/** A Python file of a task, cut once however many rules look at it; undefined for any other file. */
export function pythonSource(file: ContentFile): readonly PythonLine[] | undefined {
  if (!file.path.endsWith('.py') || file.text === undefined) return undefined;
  const lines = known.get(file) ?? pythonLines(file.text);
  known.set(file, lines);
  return lines;
}

/** The functions of a file, in its order. */
export function pythonFunctions(lines: readonly PythonLine[]): PythonFunction[] {
  return lines.flatMap((head, index) => {
    const [first, second, third] = head.tokens;
    const name = first?.text === 'async' ? third : second;
    const isDef = first?.text === 'def' || (first?.text === 'async' && second?.text === 'def');
    if (!isDef || name?.kind !== 'name') return [];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((line) => line.indent <= head.indent);
    const below = end < 0 ? rest : rest.slice(0, end);
    return [{ name: name.text, line: head.line, body: [...oneLiner(head), ...below] }];
  });
}

/** `def f(): assert x` has its body on the line of its head. */
function oneLiner(head: PythonLine): PythonLine[] {
  let depth = 0;
  const colon = head.tokens.findIndex(({ kind, text }) => {
    if (kind !== 'operator') return false;
    if ('([{'.includes(text)) depth += 1;
    if (')]}'.includes(text)) depth -= 1;
    return text === ':' && depth === 0;
  });
  const tokens = colon < 0 ? [] : head.tokens.slice(colon + 1);
  return tokens.length === 0 ? [] : [{ ...head, tokens }];
}

/** Names that are called, each as its whole dotted chain: `np.random.rand(3)` gives `np.random.rand`. */
export function callsIn(tokens: readonly PythonToken[]): { readonly name: string; readonly at: number }[] {
  const calls: { name: string; at: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.kind !== 'name' || tokens[at - 1]?.text === '.') continue;
    const parts = [tokens[at]?.text ?? ''];
    while (tokens[at + 1]?.text === '.' && tokens[at + 2]?.kind === 'name') {
      parts.push(tokens[at + 2]?.text ?? '');
      at += 2;
    }
    if (tokens[at + 1]?.text === '(') calls.push({ name: parts.join('.'), at: at + 1 });
  }
  return calls;
}
