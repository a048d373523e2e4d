import { describe, expect, test } from 'vitest';
import { bundleFindings } from '../../../../src/lint/skill/bundle-findings.ts';

const entry = (path: string, mode = 0o644) => ({
  path,
  kind: 'file' as const,
  mode,
  size: 1,
  hostPath: path,
});

const said = (text: string, paths: readonly (readonly [string, number?])[] = [], license?: string) =>
  bundleFindings({
    path: 'SKILL.md',
    text,
    license,
    entries: paths.map(([path, mode]) => entry(path, mode)),
  }).map(({ rule, message, where }) => [rule, message, where?.line, where?.column]);

describe('links in SKILL.md', () => {
  test('that lead to nothing are named at their place', () => {
    expect(said('a\n[x](references/b.md) and [y](./c.md#part)', [['references/b.md']])).toEqual([
      ['broken-reference', 'the file "./c.md#part" is not in the bundle', 2, 30],
    ]);
  });

  test.each([
    'https://example.org/x.md',
    '#part',
    '../reference.md',
    '/etc/hosts',
    'mailto:a@example.org',
    'word',
    'data/{id}.csv',
    'b%20c.md',
    '<b c.md>',
  ])('to %s are not held against it', (target) => {
    expect(said(`[x](${target})`, [['b c.md']])).toEqual([]);
  });

  test('in code are no links', () => {
    expect(said('`[x](a.md)`\n```\n[x](b.md)\n```\n')).toEqual([]);
  });
});

test('code that can be run is told once, with how much there is', () => {
  expect(said('', [['a.txt'], ['run', 0o755], ['b.py']])).toEqual([
    ['runs-code', 'the Skill brings code that an agent may run: run and 1 more', undefined, undefined],
  ]);
});

test('a licence whose file is not there is told, with its line', () => {
  const text = '---\nname: a\nlicense: x\n---\n';
  const license = 'Proprietary. LICENSE.txt has complete terms';
  expect(said(text, [], license)[0]).toEqual([
    'license-file',
    'the license names LICENSE.txt, which is not in the bundle',
    3,
    undefined,
  ]);
  expect(said(text, [['LICENSE.txt']], license).map(([rule]) => rule)).toEqual(['proprietary-license']);
});

test.each([
  'MIT',
  'Apache-2.0 license',
  'see https://example.org/LICENSE.txt',
  'terms as in ../LICENSE',
  'notice: free for all',
])('"%s" names no file of the bundle', (license) => {
  expect(said('', [], license)).toEqual([]);
});

test('a licence that keeps others from copying is told', () => {
  expect(said('', [], 'Proprietary. Ask us')).toEqual([
    ['proprietary-license', 'the license reads "Proprietary. Ask us"', undefined, undefined],
  ]);
  expect(said('', [], 'MIT')).toEqual([]);
});
