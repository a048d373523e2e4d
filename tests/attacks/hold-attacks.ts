import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttackRun, casesOf, controls, expectRecorded, runAttacks } from './attack-rig.ts';

/** Runs the corpus in an isolation and holds every attack and every honest agent to its end. `more`: what only one isolation is held to. */
export function holdAttacks(
  title: string,
  isolation: 'outputs' | 'snapshot',
  more: (run: () => AttackRun) => void = () => undefined,
): void {
  describe(title, () => {
    let run: AttackRun;
    beforeAll(async () => {
      run = await runAttacks(isolation);
    }, 900_000);
    afterAll(() => run[Symbol.asyncDispose]());

    it.each(casesOf(isolation))('%s, as %s, does not pass and does not void its trial', (id, user) => {
      const record = run.record(id, user);
      expect(record.outcome, JSON.stringify(record.notices)).toMatchObject({
        kind: 'scored',
        verdict: { passed: false, reward: 0 },
      });
      expectRecorded(record, isolation);
    });

    it.each(controls())('%s, as %s, passes', (id, user) => {
      const record = run.record(id, user);
      expect(record.outcome, JSON.stringify(record.notices)).toMatchObject({
        kind: 'scored',
        verdict: { passed: true },
      });
    });

    it.each(['looks-for-answers', 'looks-for-the-host'])('%s and finds nothing', async (id) => {
      for (const user of ['root', 'agent'] as const)
        expect(await run.said(run.record(id, user))).not.toContain('FOUND SOMETHING');
    });

    more(() => run);

    it('leaves nothing on the engine', () => {
      expect(run.left).toEqual([]);
    });
  });
}
