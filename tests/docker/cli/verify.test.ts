import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRig, type Rig } from '../../support/rig.ts';
import { leftOf, removeTaskImages } from '../run/docker-rig.ts';

const TASKS = ['rt-verified', 'rt-other'] as const;
const RUN = `verify-${process.pid}`;
const NOP = 'rt-verified/no-skills/1/nop';

/** Kinds of the containers that were started for a trial, in any run, from the engine's own account. `since`: seconds of the epoch. */
async function startedFor(trial: string, since: number): Promise<readonly string[]> {
  const until = String(Math.ceil(Date.now() / 1000) + 1);
  const { stdout } = await execa('docker', [
    ...['events', '--since', String(since), '--until', until, '--filter', 'event=start'],
    ...[
      '--filter',
      `label=skillpair.trial=${trial}`,
      '--format',
      '{{index .Actor.Attributes "skillpair.kind"}}',
    ],
  ]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('verifying kept work once more, on a real engine', () => {
  let rig: Rig;
  const since = Math.floor(Date.now() / 1000);
  beforeAll(async () => {
    rig = await makeRig();
    await rig.addSkill('alpha');
    await rig.addTask('rt-verified');
    await rig.addTask('rt-other', { script: 'echo 1 > /logs/verifier/reward.txt\n' });
    const experiment = await rig.addExperiment(
      'kept',
      `tasks: { include: [${TASKS.join(', ')}] }\nconfigurations: [{ harness: oracle }, { harness: nop }]\nattempts: { max: 1 }\n`,
    );
    const { code, stderr } = await rig.run(['run', experiment, '--run-id', RUN, '--condition', 'no-skills']);
    expect(stderr).toContain('4 of 4 trials done, passed 3, failed 1');
    expect(code).toBe(0);
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeTaskImages(...TASKS);
  });
  const attempt = () => join(rig.dir, 'runs', RUN, 'trials', NOP, '1/attempt.json');

  it('says the same of the same work and tests, with no agent started and nothing left or changed', async () => {
    const before = await readFile(attempt(), 'utf8');
    const { code, stdout } = await rig.run(['verify', RUN, 'rt-verified/*']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['trial', 'attempt', 'recorded', 'now', 'result', 'task'],
      ['rt-verified/no-skills/1/oracle', '1', 'passed', 'passed', 'same', 'same'],
      [NOP, '1', 'failed', 'failed', 'same', 'same'],
      ['verified again: 2 trials, 0 with another result; not verified: 0'],
      [''],
    ]);
    expect(code).toBe(0);
    expect(await readFile(attempt(), 'utf8')).toBe(before);
    expect(await startedFor(NOP, since)).toEqual(['agent', 'verifier', 'verifier']);
    expect(await leftOf(RUN)).toEqual([]);
  });

  it('tells of tests that were changed since, and keeps what they said where it is asked to', async () => {
    await rig.write({ 'tasks/rt-verified/tests/test_answer.py': 'def test_anything():\n    assert True\n' });
    const { code, stdout } = await rig.run(['verify', RUN, '*/nop', 'none', '--evidence', 'again', '--json']);
    const { verified, impossible } = JSON.parse(stdout);
    expect(verified).toMatchObject([
      {
        ...{ trial: NOP, agrees: false, taskChanged: true },
        ...{ recorded: { verdict: { passed: false } }, now: { verdict: { passed: true } } },
      },
    ]);
    expect(impossible).toEqual([
      { trial: 'rt-other/no-skills/1/nop', why: 'no work is kept of tasks with isolation "snapshot"' },
    ]);
    expect(code).toBe(4);
    const kept = await readdir(join(rig.dir, 'again', NOP, 'verifier/logs/verifier'));
    expect(kept).toContain('report.json');
  });

  it('ends with 1 where a result is another one', async () => {
    const { code, stdout } = await rig.run(['verify', RUN, 'rt-verified/*']);
    expect(stdout).toMatch(/rt-verified\/no-skills\/1\/nop .* OTHER +changed\n/);
    expect(code).toBe(1);
  });

  it('refuses names that fit no trial', async () => {
    const { code, stderr } = await rig.run(['verify', RUN, 'rt-verifed']);
    expect(stderr).toContain('no trial of the run matches "rt-verifed"');
    expect(code).toBe(2);
  });
});
