import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttackRun, casesOf, runAttacks } from '../../attacks/attack-rig.ts';
let run: AttackRun;
beforeAll(async () => { run = await runAttacks('snapshot'); }, 600_000);
afterAll(() => run[Symbol.asyncDispose]());
const only = process.env.SKILLPAIR_ATTACKS?.split(',');
describe('x', () => {
  it.each(casesOf('snapshot').filter(([id]) => only === undefined || only.includes(id)))('%s as %s', (id, user) => {
    const r = run.record(id, user);
    console.log(id, user, JSON.stringify(r.outcome).slice(0, 300), JSON.stringify(r.notices).slice(0, 600), JSON.stringify(r.phases.map(p => [p.phase, Math.round(p.durationMs)])));
    expect(r.outcome.kind === 'scored' && r.outcome.verdict.passed).toBe(false);
  });
  it.each([['honest'],['honest-project'],['honest-package'],['honest-library'],['honest-service'],['honest-path'],['honest-links'],['honest-touch']])('%s', (id) => {
    const r = run.record(id, 'root');
    console.log(id, JSON.stringify(r.outcome).slice(0, 400), JSON.stringify(r.notices).slice(0, 600));
    expect(r.outcome.kind === 'scored' && r.outcome.verdict.passed).toBe(true);
  });
});
