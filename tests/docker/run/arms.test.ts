import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { attemptsOf } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from './docker-rig.ts';

const THREE =
  'configurations: [{ harness: literal }, { harness: oracle }, { harness: nop }]\nconcurrency: 3\n';

/** The only attempt of a configuration's arm. */
function armOf(records: readonly AttemptRecord[], configuration: string, condition: string): AttemptRecord {
  const found = records.filter(
    ({ trial }) => trial.configuration === configuration && trial.condition === condition,
  );
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${found.length} attempts of ${configuration}/${condition}`);
  return only;
}

const passed = ({ outcome }: AttemptRecord) => (outcome.kind === 'scored' ? outcome.verdict.passed : outcome);

describe('a small experiment on a real engine, both arms at once', () => {
  let rig: DockerRig;
  let run: string;
  let ran: Awaited<ReturnType<DockerRig['run']>>;
  let records: readonly AttemptRecord[];
  beforeAll(async () => {
    rig = await makeDockerRig();
    run = rig.runId();
    const experiment = await rig.addExperiment('three', THREE);
    ran = await rig.run(['run', experiment, '--run-id', run]);
    records = attemptsOf(await rig.record(run));
  }, 240_000);
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeTaskImages('rt-answer');
  });

  it('ends well, with every trial scored at its first attempt and nothing left', async () => {
    expect(ran).toMatchObject({ code: 0 });
    expect(records).toHaveLength(6);
    expect(await leftOf(run)).toEqual([]);
  });

  it.each([
    ['literal', false, true],
    ['oracle', true, true],
    ['nop', false, false],
  ])('%s passes without Skills: %s, with Skills: %s', (configuration, without, withSkills) => {
    expect(passed(armOf(records, configuration, 'no-skills'))).toBe(without);
    expect(passed(armOf(records, configuration, 'with-skills'))).toBe(withSkills);
  });

  it('ran all trials of both arms from one image, by its id', () => {
    const images = new Set(records.map(({ images: { task } }) => task));
    expect(images.size).toBe(1);
    expect([...images][0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('found no SKILL.md in any no-skills container, and the bundle at every folder of the harness in the others', () => {
    const found = (configuration: string, condition: string) =>
      armOf(records, configuration, condition).attestation.before?.skillFiles;
    for (const configuration of ['literal', 'oracle', 'nop'])
      expect(found(configuration, 'no-skills')).toEqual([]);
    expect(found('literal', 'with-skills')).toEqual([
      '/home/agent/.agents/skills/alpha/SKILL.md',
      '/workspace/.agents/skills/alpha/SKILL.md',
    ]);
    for (const { attestation } of records) {
      expect(attestation.before?.found).toBe(attestation.before?.expected);
      expect(attestation.before?.violations).toEqual([]);
    }
  });

  it('used the Skill in the one arm and none in the other', () => {
    expect(armOf(records, 'literal', 'with-skills').skillUse).toEqual([{ skill: 'alpha', use: 'used' }]);
    expect(armOf(records, 'literal', 'no-skills').skillUse).toEqual([{ skill: 'alpha', use: 'not-used' }]);
  });

  it('gave every arm the same instruction', () => {
    expect(new Set(records.map(({ digests }) => digests.instruction)).size).toBe(1);
  });

  it('wrote every report', async () => {
    const { stdout } = ran;
    expect(stdout).toContain('literal');
    for (const name of ['junit.xml', 'report.md', 'trials.csv', 'measurement.json'])
      expect((await readFile(join(rig.dir, 'runs', run, 'reports', name), 'utf8')).length).toBeGreaterThan(
        100,
      );
  });

  it('in a second checkout whose Skill differs by one byte, is another bundle from the same image, kept apart', async () => {
    await using other = await makeDockerRig();
    const text = await readFile(join(rig.dir, 'skills/alpha/SKILL.md'), 'utf8');
    await other.write({ 'skills/alpha/SKILL.md': text.replace('Do this:', 'Do thus:') });
    const experiment = await other.addExperiment(
      'three',
      'configurations: [{ harness: literal }]\nconcurrency: 2\n',
    );
    const second = other.runId();
    const again = await other.run(['run', experiment, '--run-id', second]);
    expect(again.code).toBe(0);
    const others = attemptsOf(await other.record(second));
    const [mine, theirs] = [
      armOf(records, 'literal', 'with-skills'),
      armOf(others, 'literal', 'with-skills'),
    ];
    expect(theirs.digests.bundle).not.toBe(mine.digests.bundle);
    expect(theirs.attestation.before?.expected).not.toBe(mine.attestation.before?.expected);
    expect(theirs.images.task).toBe(mine.images.task);
    expect(armOf(others, 'literal', 'no-skills').digests.bundle).toBe(
      armOf(records, 'literal', 'no-skills').digests.bundle,
    );
    expect([await other.runs(), await rig.runs()]).toEqual([[second], [run]]);
    expect(again.stderr).not.toMatch(/building .*task image/);
  });
});
