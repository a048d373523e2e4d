import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenLinks } from '../../../scripts/broken-links.ts';
import { PAGES, page, ROOT } from '../../support/pages.ts';

const TREE = {
  exists: (path: string) => existsSync(join(ROOT, path)),
  read: (path: string) => readFileSync(join(ROOT, path), 'utf8'),
};

describe.each(PAGES.map((one) => [one.path, one] as const))('%s', (path, { text }) => {
  test('has no relative link that leads nowhere', () => {
    expect(brokenLinks(path, TREE)).toEqual([]);
  });

  test('names no folder of one machine', () => {
    expect(
      text.match(/\/(?:work|tmp|home|root)\/[\w./-]+/g)?.filter((found) => !isInContainer(found)) ?? [],
    ).toEqual([]);
  });
});

/** Paths in a trial's container are the same everywhere. */
function isInContainer(path: string): boolean {
  return path.startsWith('/home/agent') || path.startsWith('/root/.') || path.startsWith('/tmp/node');
}

test('the README leads to every page of docs/', () => {
  const { text } = page('README.md');
  const unlinked = PAGES.map(({ path }) => path).filter(
    (path) => path !== 'README.md' && !text.includes(`(${path})`),
  );
  expect(unlinked).toEqual([]);
});
