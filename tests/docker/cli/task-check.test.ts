import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRig, type Rig } from '../../support/rig.ts';

const ANSWER = 'mkdir -p /workspace/out && echo 42 > /workspace/out/answer.txt\n';
const LOOSE = `from pathlib import Path


def test_answer():
    assert Path("/workspace/out/answer.txt").exists()
`;
const ALWAYS = `def test_answer():
    assert 40 + 2 == 42
`;
/** Findings as `rule severity`, by task. */
async function check(rig: Rig, ...args: string[]) {
  const ran = await rig.run(['task', 'check', 'tasks', '--json', ...args]);
  const { findings } = JSON.parse(ran.stdout) as {
    readonly findings: readonly {
      readonly rule: string;
      readonly severity: string;
      readonly subject: string;
      readonly message: string;
      readonly where?: { readonly file: string; readonly line?: number };
    }[];
  };
  const of = (task: string) =>
    findings
      .filter(({ subject, rule }) => subject === task && rule !== 'image-facts')
      .map(({ rule, severity }) => `${severity} ${rule}`);
  const found = (task: string) =>
    findings.find(({ subject, rule }) => subject === task && rule !== 'image-facts');
  const message = (task: string) => found(task)?.message;
  const evidence = /^evidence of the trials: (.+)$/m.exec(ran.stderr)?.[1];
  return { ...ran, of, found, message, evidence };
}

describe('task check with an engine', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await makeRig();
    await rig.addSkill('alpha');
    const almost = { 'almost-right/solve.sh': ANSWER.replace('42', '43') };
    await rig.addTask('sound', { solution: ANSWER, files: almost });
    await rig.addTask('loose', { solution: ANSWER, tests: LOOSE, files: almost });
    await rig.addTask('free', { solution: ANSWER, tests: ALWAYS, files: almost });
    await rig.addTask('unsolved', { solution: 'true\n' });
    await rig.addTask('leaking', {
      solution: `# Forty-two, as everybody knows.\n${ANSWER}`,
      dockerfile: `FROM skillpair/base:1\nRUN mkdir /opt/cache && printf '%s\\n' '# Forty-two, as everybody knows.' '${ANSWER.trim()}' > /opt/cache/x\n`,
      files: almost,
    });
    await rig.addTask('broken', { solution: ANSWER, dockerfile: 'FROM skillpair/base:1\nRUN exit 3\n' });
    await rig.addTask('stopping', {
      solution: ANSWER,
      files: { 'almost-right/solve.sh': 'echo gone wrong >&2\nexit 3\n' },
    });
    await rig.addTask('uncollected', {
      solution: ANSWER,
      tests: `import pandas\n\n\n${LOOSE}`,
      files: almost,
    });
    await rig.addTask('elsewhere', { solution: ANSWER.replaceAll('/out', '/result'), files: almost });
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
  });

  it('passes a sound task, and finds what is wrong with each of the others', async () => {
    const checked = await check(rig, '--level', 'gate');
    expect(checked.code).toBe(1);
    expect(checked.of('sound')).toEqual([]);
    expect(checked.of('loose')).toContain('error almost-right-passes');
    expect(checked.of('free')).toEqual(
      expect.arrayContaining(['error nop-passes', 'error almost-right-passes']),
    );
    expect(checked.of('unsolved')).toEqual(
      expect.arrayContaining(['error oracle-fails', 'warning almost-right-missing']),
    );
    expect(checked.of('leaking')).toEqual(['error answer-in-image']);
    expect(checked.of('broken')).toContain('error image-build');
    expect(checked.of('stopping')).toEqual(['error almost-right-stops']);
    expect(checked.message('stopping')).toContain('it ended with exit code 3: "gone wrong" (');
    expect(checked.of('uncollected')).toEqual(['error trial-unscored']);
    expect(checked.found('uncollected')).toMatchObject({
      where: { file: 'tasks/uncollected/tests/test_answer.py', line: 1 },
    });
    expect(checked.stderr.match(/^(?:almost-right solution: )?uncollected\//gm)).toHaveLength(1);
    expect(checked.of('elsewhere')).toContain('error oracle-fails');
    expect(checked.message('elsewhere')).toContain('; it left no /workspace/out; the first says: ');
    const kept = join(checked.evidence ?? 'none', 'trials');
    expect((await readdir(kept)).toSorted()).toEqual([
      'elsewhere',
      'free',
      'leaking',
      'loose',
      'sound',
      'stopping',
      'uncollected',
      'unsolved',
    ]);
    await rm(checked.evidence ?? 'none', { recursive: true });
  });

  it('keeps no evidence of what is sound, and no engine object', async () => {
    const ran = await rig.run(['task', 'check', 'tasks/sound', '--level', 'repeat', '--repeats', '2']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).not.toContain('evidence');
    expect(ran.stderr.match(/sound\/\S+: (passed|failed)/g)).toHaveLength(6);
    const { stdout } = await execa('docker', [
      'ps',
      '-aq',
      '--filter',
      'label=skillpair.trial=sound/no-skills/1/nop',
    ]);
    expect(stdout).toBe('');
  });

  it('builds anew where that is asked for', async () => {
    const level = ['tasks/sound', '--level', 'build'];
    const found = await rig.run(['task', 'check', ...level]);
    expect(found.stderr).not.toContain('built in');
    const anew = await rig.run(['task', 'check', ...level, '--rebuild']);
    expect(anew.stderr).toMatch(/^task image sound built in (\d+ ms|\d+\.\d s)$/m);
    expect(anew.code).toBe(0);
  });
});
