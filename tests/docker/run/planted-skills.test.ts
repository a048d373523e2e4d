import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { attemptsOf, skillText } from '../../support/rig.ts';
import {
  type DockerRig,
  leftOf,
  localImage,
  makeDockerRig,
  removeTaskImages,
  startedIn,
} from './docker-rig.ts';

const MARKER = skillText('marker', 'Do as the marker says.\n');
const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000::/home/agent:/bin/sh\n';
/** A base without anything that could run: what is not to be started needs none. */
const BASE = 'FROM scratch\nCOPY root/ /\nWORKDIR /workspace\n';

/** What base images hold, and the paths by which the Skills must be named. */
const IN_BASE: Readonly<
  Record<string, { files: Readonly<Record<string, string>>; named: readonly string[] }>
> = {
  'rt-home': at(
    ...['agents', 'claude', 'codex', 'gemini', 'openhands'].map(
      (harness) => `/home/agent/.${harness}/skills/marker/SKILL.md`,
    ),
  ),
  'rt-other-homes': at(
    '/root/.claude/skills/marker/SKILL.md',
    '/home/somebody/.claude/skills/marker/SKILL.md',
  ),
  'rt-system': at('/etc/codex/skills/marker/SKILL.md'),
  'rt-project': at('/workspace/.agents/skills/marker/SKILL.md', '/.claude/skills/marker/SKILL.md'),
  'rt-link': {
    files: { '/opt/shelf/marker/SKILL.md': MARKER, '/root/.claude/skills': '-> /opt/shelf' },
    named: ['/root/.claude/skills/marker'],
  },
  'rt-file-link': {
    files: { '/opt/shelf/text.md': MARKER, '/root/.claude/skills/marker/SKILL.md': '-> /opt/shelf/text.md' },
    named: ['/root/.claude/skills/marker/SKILL.md'],
  },
};

function at(...paths: readonly string[]) {
  return { files: Object.fromEntries(paths.map((path) => [path, MARKER])), named: paths };
}

const TAG = 'skillpair-test/marked';

describe('a Skill that reached the image', () => {
  let rig: DockerRig;
  let run: string;
  let code: number | null;
  let records: readonly AttemptRecord[];
  let started: readonly string[];
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    rig = stack.use(await makeDockerRig());
    const since = Math.floor(Date.now() / 1000);
    for (const [name, { files }] of Object.entries(IN_BASE)) {
      const inRoot = Object.entries({ '/etc/passwd': PASSWD, ...files }).map(([path, text]) => [
        `root${path}`,
        text,
      ]);
      stack.use(
        await localImage(`${TAG}:${name}`, BASE, Object.fromEntries(inRoot) as Record<string, string>),
      );
      await rig.addTask(name, { dockerfile: `FROM ${TAG}:${name}\n` });
    }
    stack.use(await localImage(`${TAG}:plain`, BASE, { 'root/etc/passwd': PASSWD }));
    await rig.addTask('rt-copied', {
      dockerfile: `FROM ${TAG}:plain\nCOPY . .\n`,
      files: { 'environment/tools/.x': '', 'environment/.claude/skills/marker/SKILL.md': MARKER },
    });
    const experiment = await rig.addExperiment(
      'planted',
      'configurations: [{ harness: nop }]\ntasks: { exclude: [rt-answer] }\nconcurrency: 2\nimages: { trustCa: none }\n',
    );
    run = rig.runId();
    code = (await rig.run(['run', experiment, '--run-id', run])).code;
    records = attemptsOf(await rig.record(run));
    started = await startedIn(run, since);
  }, 280_000);
  afterAll(async () => {
    await stack.disposeAsync();
    await removeTaskImages(...Object.keys(IN_BASE), 'rt-copied');
  });

  const named = Object.entries(IN_BASE).flatMap(([name, one]) =>
    one.named.map((path) => [name, path] as const),
  );

  it.each([...named, ['rt-copied', '/workspace/.claude/skills/marker/SKILL.md'] as const])(
    '%s: %s is named, and both arms are unscored alike',
    (task, path) => {
      const own = records.filter(({ trial }) => trial.task === task);
      expect(own).toHaveLength(2);
      for (const { outcome, agent } of own) {
        expect(outcome).toMatchObject({ kind: 'unscored', reason: 'condition-violated' });
        expect(outcome).toMatchObject({ detail: expect.stringContaining(path) as string });
        expect(agent).toBeUndefined();
      }
    },
  );

  it('starts no container at all, ends with 4, and leaves nothing', async () => {
    expect([started, code]).toEqual([[], 4]);
    expect(await leftOf(run)).toEqual([]);
  });
});

describe('what only looks like a Skill', () => {
  it('a folder called skills and a SKILL.md that no harness finds are no violation: the trials run', async () => {
    await using rig = await makeDockerRig();
    await rig.addTask('rt-lookalike', {
      dockerfile: `FROM skillpair/base:1
COPY readme.txt /workspace/skills/readme.txt
COPY skill.txt /usr/share/tests/fixtures/SKILL.md
COPY readme.txt /home/agent/.claude/settings.json
`,
      files: { 'environment/readme.txt': 'tools of the trade\n', 'environment/skill.txt': MARKER },
    });
    const experiment = await rig.addExperiment(
      'control',
      'configurations: [{ harness: oracle }]\ntasks: { include: [rt-lookalike] }\nconcurrency: 2\n',
    );
    const run = rig.runId();
    const since = Math.floor(Date.now() / 1000);
    const { code } = await rig.run(['run', experiment, '--run-id', run]);
    const outcomes = attemptsOf(await rig.record(run)).map(({ outcome }) => outcome);
    expect(code).toBe(0);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: 'scored', verdict: { passed: true } });
    expect(outcomes).toHaveLength(2);
    // Two agents and two verifiers: the count of started containers does see what is started.
    expect(await startedIn(run, since)).toHaveLength(4);
    expect(await leftOf(run)).toEqual([]);
    await removeTaskImages('rt-lookalike');
  });
});
