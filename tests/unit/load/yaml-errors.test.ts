import { expect, it } from 'vitest';
import { parseYamlData } from '../../../src/load/yaml-file.ts';

/** Errors as `line:column message`. */
function errors(text: string): string[] {
  const read = parseYamlData(text, 'task.yaml');
  return read.ok ? [] : read.error.map(({ where, message }) => `${where?.line}:${where?.column} ${message}`);
}

it.each([
  ['tags: [csv\n  title: x\n  b: y\nskills: [a]\n', '1:7 YAML: the [ is never closed'],
  ['verifier:\n  outputs: [/out\n  timeout: 1m\n  kind: pytest\n', '2:12 YAML: the [ is never closed'],
  ['a: [\n  b: 1\n  c: {d: 2\n  e: 3\n', '3:6 YAML: the { is never closed'],
  ['a: {x: 1\nb: [1]\nc: 4\n', '1:4 YAML: the { is never closed'],
  ['a: "x\nb: 1\nc: 2\n', `1:4 YAML: the " is never closed`],
])('a bracket or a quote that is never closed is told once, where it stands: %j', (text, says) => {
  expect(errors(text)).toEqual([says]);
});

it('what stands before such a bracket is told too', () => {
  expect(errors('a: 1\na: 2\nb: c: d\ne: [1\nf: 2\n')).toEqual([
    '2:1 the same key stands twice',
    expect.stringMatching(/^3:4 YAML: nested mappings/),
    '4:4 YAML: the [ is never closed',
  ]);
});

it('errors that have nothing to do with each other are all told, and one place has one', () => {
  expect(errors('a: b: c\nd: e: f\n')).toHaveLength(2);
  expect(errors('a: 1\n b: 2\nc: 3\n')).toHaveLength(1);
});
