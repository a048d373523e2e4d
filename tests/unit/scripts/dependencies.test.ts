import { describe, expect, test } from 'vitest';
// @ts-expect-error the set-up is plain JavaScript without types: it runs before TypeScript can
import { matchesLock } from '../../../scripts/dependencies.mjs';

const locked = {
  '': { name: 'project' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-another-platform': { version: '2.0.0', optional: true },
};

describe('matchesLock', () => {
  test('holds when every package is there at its version and only optional ones are missing', () => {
    expect(matchesLock(locked, { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } })).toBe(true);
  });

  test.each([
    { what: 'a package is missing', installed: {} },
    {
      what: 'a version differs',
      installed: { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } },
    },
    {
      what: 'the bytes differ',
      installed: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
    },
    {
      what: 'a package is there that the lock does not know',
      installed: {
        'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
        'node_modules/stranger': { version: '9.9.9' },
      },
    },
  ])('does not hold when $what', ({ installed }) => {
    expect(matchesLock(locked, installed)).toBe(false);
  });
});
