import type { ContentFile } from '../../model/task-content.ts';
import { callsIn, type PythonFunction, pythonFunctions, pythonSource } from './python-functions.ts';
import type { PythonLine, PythonToken } from './python-tokens.ts';
import type { Remark, TaskRule } from './task-rule.ts';

/** What pytest collects. */
export const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** Calls that fail a test by themselves. */
const ASSERTING =
  /(?:^|\.)(?:assert\w*|raises|warns|fail|xfail|exit|check_call|check_output|check_returncode|raise_for_status|verify|expect)$/i;

/** A test function in which nothing can be found wrong passes for every agent. */
export const testAssertsNothing: TaskRule = {
  name: 'test-asserts-nothing',
  check: ({ tests }) => {
    const files = pythonFiles(tests);
    const asserting = assertingNames(files.flatMap(({ functions }) => functions));
    const own = new Set(files.flatMap(({ functions }) => functions.map(({ name }) => name)));
    return files
      .filter(({ file }) => TEST_FILE.test(file.path))
      .flatMap(({ file, functions }) =>
        functions
          .filter(({ name }) => /^test/.test(name))
          .filter(
            (test) =>
              !asserts(test.body, asserting) && !onlyImports(test.body) && !callsForeignCheck(test.body, own),
          )
          .map((test) => remark(file, test)),
      );
  },
};

interface PythonFile {
  readonly file: ContentFile;
  readonly functions: readonly PythonFunction[];
}

function pythonFiles(files: readonly ContentFile[]): PythonFile[] {
  return files.flatMap((file) => {
    const lines = pythonSource(file);
    return lines === undefined ? [] : [{ file, functions: pythonFunctions(lines) }];
  });
}

/** Functions that assert, by themselves or through one another. */
function assertingNames(functions: readonly PythonFunction[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { name, body } of functions) if (!found.has(name) && asserts(body, found)) found.add(name);
  }
  return found;
}

function asserts(body: readonly PythonLine[], asserting: ReadonlySet<string>): boolean {
  return body.some(({ tokens }) => {
    if (
      tokens.some(({ kind, text }, at) => kind === 'name' && text === 'assert' && !isAlwaysTrue(tokens, at))
    )
      return true;
    if (tokens.some(({ kind, text }) => kind === 'name' && text === 'raise')) return true;
    if (tokens.some(({ text }, at) => text === 'check' && tokens[at + 2]?.text === 'True')) return true;
    // A helper may be handed on, to a pool of processes say.
    if (tokens.some(({ kind, text }) => kind === 'name' && asserting.has(text))) return true;
    return callsIn(tokens).some(({ name }) => ASSERTING.test(name));
  });
}

/** `assert True`, `assert 1`, `assert "text"`, each with or without a message. */
function isAlwaysTrue(tokens: readonly PythonToken[], at: number): boolean {
  const [value, next] = tokens.slice(at + 1, at + 3);
  if (value === undefined || (next !== undefined && next.text !== ',' && next.text !== ';')) return false;
  if (value.kind === 'string') return value.text !== '';
  return value.text === 'True' || (value.kind === 'number' && Number(value.text) !== 0);
}

/** A test that only imports fails where that cannot be imported. */
function onlyImports(body: readonly PythonLine[]): boolean {
  const statements = body.filter(({ tokens }) => tokens[0]?.kind !== 'string');
  const isImport = ({ tokens: [first] }: PythonLine) => first?.text === 'import' || first?.text === 'from';
  return statements.length > 0 && statements.every(isImport);
}

/** A helper that is not in tests/ may assert: nothing is said of what cannot be read. */
function callsForeignCheck(body: readonly PythonLine[], own: ReadonlySet<string>): boolean {
  return body
    .flatMap(({ tokens }) => callsIn(tokens))
    .some(
      ({ name }) =>
        /(?:^|[._])(?:check|validate|verify|compare|require|ensure)/i.test(name) && !own.has(lastPart(name)),
    );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function remark(file: ContentFile, test: PythonFunction): Remark {
  return {
    severity: 'warning',
    message: `${test.name} asserts nothing: it passes whatever the agent left, unless something in it raises`,
    where: { file: file.hostPath, line: test.line },
    repair: 'assert what must hold, or remove the test',
  };
}
