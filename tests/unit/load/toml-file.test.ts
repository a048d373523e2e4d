import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseToml } from '../../../src/load/toml-file.ts';
import { tomlLocator } from '../../../src/load/toml-places.ts';

const Schema = z.looseObject({ agent: z.looseObject({ timeout_sec: z.number().positive() }) });
const parse = (text: string) => parseToml({ text, path: 'task.toml', schema: Schema });

it.each([
  ['[agent]\ntimeout_sec = -1.0\n', 'task.toml:2:15: agent.timeout_sec is -1: more than 0 is needed'],
  ['[agent]\r\n  timeout_sec = "9"\r\n', 'task.toml:2:17: agent.timeout_sec must be a number, not "9"'],
  ['[agent]\n', 'task.toml:1:2: missing key "agent.timeout_sec"'],
  ['agent = { timeout_sec = "x" }\n', 'task.toml:1:9: agent.timeout_sec must be a number, not "x"'],
  ['[agent]\ntimeout_sec = 1\ntimeout_sec = 2\n', 'task.toml:3:1: TOML:'],
  ['[agent\n', 'task.toml:1:7: TOML:'],
  ['a = \n', 'task.toml:1:5: TOML:'],
])('says what is wrong with its place: %j', (text, expected) => {
  const parsed = parse(text);
  const said = parsed.ok
    ? []
    : parsed.error.map(({ where, message }) => `${where?.file}:${where?.line}:${where?.column}: ${message}`);
  expect(said[0]).toContain(expected);
});

it('reads a file with a byte order mark and CRLF', () => {
  const parsed = parse('\uFEFF[agent]\r\ntimeout_sec = 900.0\r\n');
  expect(parsed.ok && parsed.value.value.agent.timeout_sec).toBe(900);
});

it('finds tables, dotted and quoted keys and arrays of tables, and is not misled by texts', () => {
  const text = [
    'version = "1.0"',
    'words = """',
    '[not.a.table]',
    'version = 2',
    '"""',
    '[ metadata ]',
    'tags = [',
    '  "a",',
    ']',
    '[verifier.env]',
    '"MY KEY" = "x"',
    'a.b = 1',
    '[[steps]]',
    'name = "one"',
    '[[steps]]',
    'name = "two"',
  ].join('\n');
  const locate = tomlLocator(text, 'f');
  const at = (...path: (string | number)[]) => {
    const { line, column } = locate(path, 'key');
    return `${line}:${column}`;
  };
  expect(at('version')).toBe('1:1');
  expect(at('metadata')).toBe('6:3');
  expect(at('metadata', 'tags', 0)).toBe('7:1');
  expect(at('verifier', 'env', 'MY KEY')).toBe('11:1');
  expect(at('verifier', 'env', 'a', 'b')).toBe('12:1');
  expect(at('verifier', 'timeout_sec')).toBe('10:2');
  expect(at('steps', 0, 'name')).toBe('14:1');
  expect(at('not', 'a', 'table')).toBe('undefined:undefined');
  expect(at()).toBe('1:1');
});
