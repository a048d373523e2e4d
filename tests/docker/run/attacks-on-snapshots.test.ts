import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttackRun, casesOf, controls, expectRecorded, runAttacks } from '../../attacks/attack-rig.ts';

describe('agents that attack a verifier in a snapshot of their own file system', () => {
  let run: AttackRun;
  beforeAll(async () => {
    run = await runAttacks('snapshot');
  }, 900_000);
  afterAll(() => run[Symbol.asyncDispose]());

  it.each(casesOf('snapshot'))('%s, as %s, does not pass and does not void its trial', (id, user) => {
    const record = run.record(id, user);
    expect(record.outcome, JSON.stringify(record.notices)).toMatchObject({
      kind: 'scored',
      verdict: { passed: false, reward: 0 },
    });
    expectRecorded(record, 'snapshot');
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

  it('accuses nobody who only touched the image’s files', () => {
    const codes = run.record('honest-touch', 'root').notices.map(({ code }) => code);
    expect(codes).toEqual(['volumes-copied']);
  });

  it('leaves nothing on the engine', () => {
    expect(run.left).toEqual([]);
  });
});
