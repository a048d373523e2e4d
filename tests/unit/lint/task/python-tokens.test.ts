import { expect, it } from 'vitest';
import { callsIn, pythonFunctions } from '../../../../src/lint/task/python-functions.ts';
import { pythonLines } from '../../../../src/lint/task/python-tokens.ts';

const texts = (source: string) =>
  pythonLines(source).map(({ line, indent, tokens }) => [line, indent, tokens.map(({ text }) => text)]);

it('cuts logical lines: brackets, long strings and backslashes draw lines together, comments are none', () => {
  const source =
    'x = [1,  # one\n  2]\ny = """a\n# b"""\nif x and \\\n    y:\n\tz = r\'\\d\'\n\n# end\nw = f"{x}#"\r\nv = 1.5e-3\n';
  expect(texts(source)).toEqual([
    [1, 0, ['x', '=', '[', '1', ',', '2', ']']],
    [3, 0, ['y', '=', 'a\n# b']],
    [5, 0, ['if', 'x', 'and', 'y', ':']],
    [7, 8, ['z', '=', '\\d']],
    [10, 0, ['w', '=', '{x}#']],
    [11, 0, ['v', '=', '1.5e-3']],
  ]);
});

it('ends on text that is no Python, in time that grows with its length alone', () => {
  expect(texts('"""never closed\n x = \'')).not.toEqual([]);
  expect(pythonLines(`${'("'.repeat(20_000)}\n`).length).toBe(1);
});

it('finds functions with all that is indented below them, and one-liners', () => {
  const source =
    'class A:\n  def f(self, x=(1, 2)):\n    if x:\n      g()\n    h.i.j(1)\n\nasync def k(): l()\nm()\n';
  const found = pythonFunctions(pythonLines(source)).map(({ name, line, body }) => [
    name,
    line,
    body.flatMap(({ tokens }) => callsIn(tokens).map((call) => call.name)),
  ]);
  expect(found).toEqual([
    ['f', 2, ['g', 'h.i.j']],
    ['k', 7, ['l']],
  ]);
});
