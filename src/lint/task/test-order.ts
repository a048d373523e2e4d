import { type PythonSource, pythonSources, warnAt } from './python-calls.ts';
import type { PythonFunction } from './python-functions.ts';
import { pythonFunctions } from './python-functions.ts';
import type { PythonLine } from './python-tokens.ts';
import type { Remark, TaskRule } from './task-rule.ts';

const MARK = /^@pytest\.mark\.(?:order|dependency|run|first|second|third|last|incremental)\b/;
const CHANGES = new Set([
  'append',
  'add',
  'update',
  'extend',
  'insert',
  'setdefault',
  'pop',
  'clear',
  'remove',
]);
const SAID = {
  why: 'may hand something from one test to another: alone, or in another order, they would tell otherwise',
  repair: 'let a fixture make what several tests need',
};

/** Tests that hand something on to the next one depend on their order. */
export const testDependsOnOrder: TaskRule = {
  name: 'test-depends-on-order',
  check: ({ tests }) =>
    pythonSources(tests).flatMap((source): Remark[] => {
      const line = source.lines.find(isHandedOn) ?? sharedChange(source);
      if (line === undefined) return [];
      const what = line.tokens
        .slice(0, 6)
        .map(({ text }) => text)
        .join(' ');
      return [{ ...warnAt(source, line.line, { what, ...SAID }), severity: 'note' }];
    }),
};

function isHandedOn({ tokens }: PythonLine): boolean {
  if (tokens[0]?.text === 'global' && tokens[0].kind === 'name') return true;
  const start = tokens
    .slice(0, 10)
    .map(({ text }) => text)
    .join('');
  return MARK.test(start) || /^(?:self\.__class__|type\(self\))\.\w+=(?!=)/.test(start);
}

/** A test changes something of the whole file that another test reads, or something of the whole process. */
function sharedChange({ lines }: PythonSource): PythonLine | undefined {
  const owned = new Set(
    lines.flatMap(({ indent, tokens }) =>
      indent === 0 && tokens[0]?.kind === 'name' && tokens[1]?.text === '=' ? [tokens[0].text] : [],
    ),
  );
  const tests = pythonFunctions(lines).filter(({ name }) => name.startsWith('test'));
  for (const test of tests) {
    const changed = test.body.find((line) => isChange(line, owned));
    const name = changed?.tokens[0]?.text;
    if (changed !== undefined && tests.some((other) => other !== test && reads(other, name))) return changed;
  }
  return undefined;
}

/** `name[…] = …`, `name.append(…)`; of a name that belongs to the file. */
function isChange({ tokens }: PythonLine, owned: ReadonlySet<string>): boolean {
  const [name, sign, method] = tokens;
  if (name?.kind !== 'name' || !owned.has(name.text)) return false;
  if (sign?.text === '.') return CHANGES.has(method?.text ?? '');
  if (sign?.text !== '[') return false;
  const end = tokens.findIndex(({ kind, text }) => kind === 'operator' && text === ']');
  return tokens[end + 1]?.text === '=';
}

function reads({ body }: PythonFunction, name: string | undefined): boolean {
  return body.some(({ tokens }) => tokens.some(({ kind, text }) => kind === 'name' && text === name));
}
