import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTorture, type Torture } from '../../support/torture.ts';

/**
 * Kills within the first file operations, in the build, in a trial's phases and around its last calls, some of them of a resumed run;
 * `npm run torture` has a hundred more.
 */
const SEEDS = [2, 3, 5, 9, 10, 11];

describe('a run whose process is killed with kill -9, and resumed', () => {
  let torture: Torture;
  beforeAll(async () => {
    torture = await openTorture();
  }, 120_000);
  afterAll(() => torture[Symbol.asyncDispose]());

  it.each(SEEDS)(
    'ends as if nothing had been, in reports, files and on the engine (seed %i)',
    async (seed) => {
      const { kills, faults } = await torture.point(seed);
      expect(faults).toEqual([]);
      expect(kills.length).toBeGreaterThan(0);
    },
  );
});
