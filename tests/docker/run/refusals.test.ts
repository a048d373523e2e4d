import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptsOf } from '../../support/rig.ts';
import { type DockerRig, leftOf, localImage, makeDockerRig, removeTaskImages } from './docker-rig.ts';

const TINY = 'skillpair-test/tiny:1';
/** Bases that nothing is run in need no certificates, and have no shell to put them there. */
const PLAIN = 'configurations: [{ harness: nop }]\nimages: { trustCa: none }\n';

describe('what stands in the way of a run, on a real engine', () => {
  let rig: DockerRig;
  let tiny: AsyncDisposable;
  beforeAll(async () => {
    rig = await makeDockerRig();
    tiny = await localImage(TINY, 'FROM scratch\nCOPY passwd /etc/passwd\n', {
      passwd: 'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000::/home/agent:/bin/sh\n',
    });
    await rig.addTask('rt-failing', {
      dockerfile:
        'FROM skillpair/base:1\nCOPY words.txt /words.txt\nRUN cat /words.txt && echo on purpose >&2 && exit 3\n',
      files: { 'environment/words.txt': 'some words\n' },
    });
    await rig.addTask('rt-absent', { dockerfile: 'FROM skillpair-test/never-made:7\n' });
    await rig.addTask('rt-other-platform', { dockerfile: `FROM ${TINY}\n` });
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await tiny[Symbol.asyncDispose]();
    await removeTaskImages('rt-failing', 'rt-other-platform');
  });
  const only = (task: string, lines = PLAIN) =>
    rig.addExperiment(task, `${lines}tasks: { include: [${task}] }\n`);

  it('a build that fails: its step and the engine’s own reason are shown, both arms are unscored, the run ends with 4', async () => {
    const run = rig.runId();
    const experiment = await only('rt-failing', 'configurations: [{ harness: nop }]\n');
    const { code, stdout, stderr } = await rig.run(['run', experiment, '--run-id', run]);
    expect(code).toBe(4);
    const outcomes = attemptsOf(await rig.record(run)).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(2);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: 'build-failed', phase: 'build' });
      const { detail } = outcome as { detail: string };
      expect(detail).toMatch(/Step 3\/\d+ : RUN cat \/words\.txt/);
      expect(detail).toMatch(/returned a non-zero code: 3/);
      expect(detail).toContain('on purpose');
    }
    expect(stdout + stderr).toContain('rt-failing');
    expect(await leftOf(run)).toEqual([]);
  });

  it('a base image that is absent: is named with the way to put another in its place, before any run is made', async () => {
    const experiment = await only('rt-absent');
    const before = await rig.runs();
    const { code, stderr } = await rig.run(['run', experiment, '--run-id', rig.runId()]);
    expect(code).toBe(3);
    expect(stderr).toContain('base image skillpair-test/never-made:7: it is not on this machine');
    expect(stderr).toContain('images: { substitute: { "skillpair-test/never-made:7": <local image> } }');
    expect(stderr).not.toMatch(/ at .*\.ts:\d+/);
    expect(await rig.runs()).toEqual(before);
    const plan = await rig.run(['plan', experiment]);
    expect(plan.stdout).toContain('skillpair-test/never-made:7');
  });

  it('a base image of another platform: both platforms are named, before any run is made', async () => {
    const experiment = await only(
      'rt-other-platform',
      PLAIN.replace('none }', 'none, platform: linux/s390x }'),
    );
    const before = await rig.runs();
    const { code, stderr } = await rig.run(['run', experiment, '--run-id', rig.runId()]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/skillpair-test\/tiny:1 .*linux\/\w+.*linux\/s390x/);
    expect(await rig.runs()).toEqual(before);
  });

  it('doctor finds nothing wrong with this machine and runs its canary', async () => {
    const { code, stdout } = await rig.run(['doctor', '--json']);
    const { findings } = JSON.parse(stdout) as {
      findings: { what: string; state: string; detail: string }[];
    };
    expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
    expect(findings.find(({ what }) => what === 'canary trial')?.detail).toMatch(/^passed in [\d.]+ s$/);
    expect(code).toBe(0);
  });
});
