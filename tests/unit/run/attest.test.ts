import { describe, expect, it } from 'vitest';
import type { FilesInput } from '../../fakes/fake-files.ts';
import { writeFiles } from '../../fakes/fake-files.ts';
import {
  GOOD_AGENT,
  leftOf,
  runBench,
  SKILL_FOLDERS,
  SKILL_TEXT,
  said,
  talk,
  VERIFIER,
} from './run-bench.ts';

const MARKER = '---\nname: marker\ndescription: Planted.\n---\nDo it so.\n';
const ALPHA = `${SKILL_FOLDERS[0]}/alpha`;

/** A trial in whose container somebody writes between injection and attestation. */
async function tampered(condition: 'no-skills' | 'with-skills', files: FilesInput) {
  await using bench = await runBench();
  bench.engine.afterPut = (container) => {
    if (container.spec.labels['skillpair.kind'] === 'agent') writeFiles(container.files, files);
  };
  const record = await bench.runArm(condition);
  return { record, started: bench.engine.callsOf('runMain'), left: await leftOf(bench) };
}

/** Every folder in which a harness of the bench's discovery file looks. */
const KNOWN_ROOTS = [
  '/home/agent/.agents/skills',
  '/home/agent/.claude/skills',
  '/root/.agents/skills',
  '/root/.claude/skills',
  '/workspace/.agents/skills',
  '/.agents/skills',
  '/etc/codex/skills',
];

describe.each(['no-skills', 'with-skills'] as const)('attestation of the %s arm', (condition) => {
  it.each(KNOWN_ROOTS)('finds a Skill planted in %s, and no agent is started', async (root) => {
    const path = `${root}/marker/SKILL.md`;
    const { record, started, left } = await tampered(condition, { [path]: MARKER });
    expect(said(record.outcome)).toBe('condition-violated');
    expect(record.outcome).toMatchObject({ phase: 'check', detail: expect.stringContaining(path) });
    expect(record.attestation.before?.violations).toContain(`${path}: not part of the condition`);
    expect(record.attestation.before?.skillFiles).toContain(path);
    expect(record.agent).toBeUndefined();
    expect([started, left]).toEqual([[], []]);
  });

  it('finds a SKILL.md outside all known folders, in any case of letters', async () => {
    const { record, started } = await tampered(condition, { '/opt/tools/Skill.MD': MARKER });
    expect(record.attestation.before?.violations).toEqual(['/opt/tools/Skill.MD: not part of the condition']);
    expect(started).toEqual([]);
  });

  it('finds a file beside the Skills that is none', async () => {
    const path = '/home/agent/.claude/skills/notes.txt';
    const { record, started } = await tampered(condition, { [path]: 'hint' });
    expect(record.attestation.before?.violations).toContain(`${path}: not part of the condition`);
    expect(started).toEqual([]);
  });

  it('finds a link in the place of a folder in which Skills are looked for', async () => {
    const path = '/root/.claude/skills';
    const { record, started } = await tampered(condition, {
      [path]: { kind: 'link', target: '/opt/elsewhere' },
    });
    expect(record.attestation.before?.violations).toContain(`${path}: not part of the condition`);
    expect(started).toEqual([]);
  });

  it('finds a link in the place of a folder above one in which Skills are looked for', async () => {
    const path = '/root/.claude';
    const { record, started } = await tampered(condition, {
      [path]: { kind: 'link', target: '/opt/elsewhere' },
    });
    expect(record.attestation.before?.violations).toContain(`${path}: not part of the condition`);
    expect(started).toEqual([]);
  });

  it('lets files be that no harness takes for Skills', async () => {
    const { record } = await tampered(condition, {
      '/opt/skills/readme.txt': 'a folder of that name',
      '/workspace/skills.csv': 'a,b',
      '/home/agent/.claude/settings.json': '{}',
    });
    expect([said(record.outcome), record.attestation.before?.violations]).toEqual(['passed', []]);
  });
});

describe('attestation of an injected bundle', () => {
  it.each<[string, FilesInput, string]>([
    [
      'a changed byte',
      {
        [`${ALPHA}/SKILL.md`]: { content: Buffer.from(SKILL_TEXT.replace('42', '41')), uid: 1000, gid: 1000 },
      },
      `${ALPHA}/SKILL.md: is 644 sha256:`,
    ],
    [
      'a changed mode',
      { [`${ALPHA}/SKILL.md`]: { content: Buffer.from(SKILL_TEXT), mode: 0o600 } },
      `${ALPHA}/SKILL.md: is 600 sha256:`,
    ],
    ['a missing file', { [`${ALPHA}/references/how.md`]: null }, `${ALPHA}/references/how.md: missing`],
    ['a missing folder', { [ALPHA]: null }, `${ALPHA}: missing`],
    ['an extra file', { [`${ALPHA}/extra.md`]: 'more' }, `${ALPHA}/extra.md: not part of the condition`],
    [
      'a link in the place of a file',
      { [`${ALPHA}/SKILL.md`]: { kind: 'link', target: '/opt/other/SKILL.md' } },
      `${ALPHA}/SKILL.md: is 644 link`,
    ],
  ])('finds %s, names it, and no agent is started', async (_what, files, violation) => {
    const { record, started, left } = await tampered('with-skills', files);
    expect(said(record.outcome)).toBe('condition-violated');
    expect(record.attestation.before?.violations).toContainEqual(expect.stringContaining(violation));
    expect(record.attestation.before?.found).not.toBe(record.attestation.before?.expected);
    expect([started, left]).toEqual([[], []]);
  });

  it('names the first five violations in the outcome and keeps all of them in the record', async () => {
    const many = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((n) => [`/etc/codex/skills/s${n}/SKILL.md`, MARKER]),
    );
    const { record } = await tampered('no-skills', many);
    const paths = record.outcome.kind === 'unscored' ? record.outcome.detail.match(/SKILL\.md/g) : [];
    expect(record.attestation.before?.skillFiles).toHaveLength(7);
    expect(paths?.length).toBeLessThanOrEqual(5);
  });
});

describe('attestation after the agent', () => {
  it.each(['no-skills', 'with-skills'] as const)(
    'records a Skill that the container gained in the %s arm, and the verdict stands',
    async (condition) => {
      const path = '/home/agent/.claude/skills/found-online/SKILL.md';
      await using bench = await runBench({
        programs: { agent: { ...GOOD_AGENT, changedFiles: { ...GOOD_AGENT.changedFiles, [path]: MARKER } } },
      });
      const record = await bench.runArm(condition);
      expect(said(record.outcome)).toBe('passed');
      expect(record.attestation.before?.violations).toEqual([]);
      expect(record.attestation.after?.violations).toContain(`${path}: not part of the condition`);
      expect(record.attestation.after?.skillFiles).toContain(path);
    },
  );

  it('records that the agent changed its own bundle', async () => {
    await using bench = await runBench({
      programs: {
        agent: { ...GOOD_AGENT, changedFiles: { ...GOOD_AGENT.changedFiles, [`${ALPHA}/SKILL.md`]: 'mine' } },
      },
    });
    const record = await bench.runArm('with-skills');
    expect(said(record.outcome)).toBe('passed');
    expect(record.attestation.after?.violations).toEqual([
      expect.stringContaining(`${ALPHA}/SKILL.md: is 644`),
    ]);
  });
});

describe('byte code that an agent left', () => {
  it.each([
    ['of a script in its bundle is use of the Skill', ALPHA, []],
    [
      'elsewhere among the Skills is a stranger',
      `${SKILL_FOLDERS[0]}/beta`,
      ['', '/__pycache__', '/__pycache__/x.cpython-311.pyc'],
    ],
  ])('%s', async (_what, folder, strangers) => {
    const file = `${folder}/__pycache__/x.cpython-311.pyc`;
    await using bench = await runBench({
      programs: { agent: { ...GOOD_AGENT, changedFiles: { ...GOOD_AGENT.changedFiles, [file]: 'code' } } },
    });
    const { violations } = (await bench.runArm('with-skills')).attestation.after ?? {};
    expect(violations).toEqual(strangers.map((end) => `${folder}${end}: not part of the condition`));
  });
});

describe('a Skill that is used', () => {
  const opened = (skill: string) => ({
    agent: {
      ...GOOD_AGENT,
      stdout: talk({ kind: 'skill-opened', path: `/home/agent/.agents/skills/${skill}/SKILL.md` }),
    },
  });

  it('in the arm without Skills leaves the trial unscored, whatever attestation found', async () => {
    await using bench = await runBench({ programs: opened('alpha') });
    const record = await bench.runArm('no-skills');
    expect(record.outcome).toMatchObject({ reason: 'condition-violated', phase: 'agent' });
    expect(record.outcome).toMatchObject({ detail: expect.stringContaining('alpha') });
    expect(record.attestation.before?.violations).toEqual([]);
    expect(record.skillUse).toEqual([{ skill: 'alpha', use: 'used' }]);
    expect(bench.engine.callsOf('runMain')).toHaveLength(1);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('in the arm with Skills is recorded', async () => {
    await using bench = await runBench({ programs: opened('alpha') });
    const record = await bench.runArm('with-skills');
    expect([said(record.outcome), record.skillUse]).toEqual(['passed', [{ skill: 'alpha', use: 'used' }]]);
  });

  it('in the arm without Skills counts also when it is none of the task’s', async () => {
    await using bench = await runBench({ programs: opened('found-online') });
    const record = await bench.runArm('no-skills');
    expect(record.outcome).toMatchObject({ reason: 'condition-violated', phase: 'agent' });
  });
});

describe('a home that the environment sets', () => {
  it('is where the Skills of a harness are put', async () => {
    await using bench = await runBench({ baseImage: { env: ['HOME=/data/home'] } });
    const { attestation } = await bench.runArm('with-skills');
    expect(attestation.before?.skillFiles).toEqual([
      '/data/home/.agents/skills/alpha/SKILL.md',
      '/workspace/.agents/skills/alpha/SKILL.md',
    ]);
  });
});

describe('a condition that is violated', () => {
  it('is not attempted again', async () => {
    await using bench = await runBench({
      experiment: 'configurations: [{ harness: agent }]\nattempts: { max: 3 }\n',
    });
    bench.engine.afterPut = ({ spec, files }) => {
      if (spec.labels['skillpair.kind'] === 'agent')
        writeFiles(files, { '/etc/codex/skills/m/SKILL.md': MARKER });
    };
    await bench.run();
    expect(bench.records.map(({ attempt, outcome }) => [attempt, said(outcome)])).toEqual([
      [1, 'condition-violated'],
      [1, 'condition-violated'],
    ]);
  });

  it.each(KNOWN_ROOTS)('by the base image at %s is told before any trial container is made', async (root) => {
    await using bench = await runBench({ base: { [`${root}/marker/SKILL.md`]: MARKER } });
    await bench.run();
    for (const { outcome } of bench.records) {
      expect(outcome).toMatchObject({ reason: 'condition-violated', phase: 'build' });
      expect(outcome).toMatchObject({ detail: expect.stringContaining(`${root}/marker/SKILL.md`) });
    }
    expect(bench.engine.callsOf('createContainer').filter((name) => /-agent$/.test(name))).toEqual([]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it.each([
    ['the image', { baseImage: { env: ['HOME=/data/home'] } }],
    [
      'the configuration',
      { experiment: 'configurations: [{ harness: agent, env: { HOME: /data/home } }]\n' },
    ],
  ])('by a Skill in the home that %s sets is told before any trial container is made', async (_by, input) => {
    await using bench = await runBench({
      ...input,
      base: { '/data/home/.claude/skills/marker/SKILL.md': MARKER },
    });
    await bench.run();
    const details = bench.records.map(({ outcome }) => outcome);
    expect(details).toMatchObject([{ reason: 'condition-violated' }, { reason: 'condition-violated' }]);
  });

  it.each([
    ['a home', []],
    ['a volume', ['/home/agent/.claude']],
  ])(
    'by an entry point that unpacks a Skill into %s is told before any trial container is made',
    async (_what, volumes) => {
      const unpack = { changedFiles: { '/home/agent/.claude/skills/marker/SKILL.md': MARKER } };
      await using bench = await runBench({
        baseImage: { entrypoint: ['/unpack'], volumes },
        programs: { '/unpack true': unpack },
      });
      await bench.run();
      for (const { outcome } of bench.records)
        expect(outcome).toMatchObject({
          reason: 'condition-violated',
          phase: 'build',
          detail: expect.stringContaining('/home/agent/.claude/skills/marker/SKILL.md'),
        });
      expect(bench.engine.callsOf('createContainer').filter((name) => /-agent$/.test(name))).toEqual([]);
      expect(await leftOf(bench)).toEqual([]);
    },
  );

  it('is not claimed of an entry point that leaves discovery folders alone', async () => {
    await using bench = await runBench({
      baseImage: { entrypoint: ['/enter'] },
      programs: {
        '/enter true': { changedFiles: { '/var/fixtures/SKILL.md': MARKER } },
        '/enter': GOOD_AGENT,
        '/enter bash /tests/test.sh': VERIFIER,
      },
    });
    await bench.run();
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed', 'passed']);
  });

  it('is not claimed of an image with a folder called skills, or a SKILL.md that no harness finds', async () => {
    await using bench = await runBench({
      base: { '/usr/share/skills/readme.txt': 'x', '/usr/share/tests/fixtures/SKILL.md': MARKER },
    });
    await bench.run();
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['passed', 'passed']);
  });
});
