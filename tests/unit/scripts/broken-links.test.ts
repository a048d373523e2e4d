import { describe, expect, test } from 'vitest';
import { brokenLinks } from '../../../scripts/broken-links.ts';

function links(documents: Record<string, string>, path = 'docs/page.md') {
  return brokenLinks(path, { exists: (file) => file in documents, read: (file) => documents[file] ?? '' });
}

describe('brokenLinks', () => {
  test('finds a link to a file that is not there, with its line', () => {
    const found = links({ 'docs/page.md': 'first\nsee [this](missing.md)' });
    expect(found).toEqual([{ line: 2, target: 'missing.md', reason: 'there is no docs/missing.md' }]);
  });

  test('resolves links from the folder of the document', () => {
    expect(
      links({ 'docs/page.md': '[up](../README.md) [beside](./b.md)', 'README.md': '', 'docs/b.md': '' }),
    ).toEqual([]);
  });

  test('checks headings, in other documents and in its own', () => {
    const documents = {
      'docs/page.md': '# A `first` one\n[own](#a-first-one) [there](b.md#how-to-run-it) [gone](b.md#nowhere)',
      'docs/b.md': '## How to run it?\n',
    };
    expect(links(documents)).toEqual([
      { line: 2, target: 'b.md#nowhere', reason: 'docs/b.md has no heading #nowhere' },
    ]);
  });

  test('leaves alone what is no link of this repository: addresses with a scheme, code, fences', () => {
    const text = '[web](https://example.org/x) `[a](b)`\n```\n[c](d)\n```';
    expect(links({ 'docs/page.md': text })).toEqual([]);
  });
});
