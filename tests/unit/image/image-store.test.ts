import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { makeImageStore } from '../../../src/image/image-store.ts';
import { planImages } from '../../../src/image/plan-images.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import type { Harness } from '../../../src/model/harness.ts';
import type { Project } from '../../../src/model/project.ts';
import { type FakeEngine, type FakeEngineInput, makeFakeEngine } from '../../fakes/fake-engine.ts';
import {
  type Files,
  madeProject,
  madeSkill,
  madeTask,
  sha256,
  temporaryFolder,
  writeFiles,
} from './made-project.ts';

const ALPHA = { 'SKILL.md': 'the alpha Skill\n' };
const skills = [madeSkill('alpha', ALPHA)];
const TASK: Files = {
  'skills/alpha/SKILL.md': ALPHA['SKILL.md'],
  'data.csv': '1\n',
  Dockerfile: 'FROM base:1\nCOPY skills /root/.claude/skills\nCOPY data.csv /data.csv\n',
};
const signal = new AbortController().signal;

function harness(dir: string, bundle = true): Harness {
  return {
    manifest: {
      schemaVersion: 1,
      id: 'tool',
      version: '1',
      title: 'tool',
      command: ['true'],
      env: {},
      discovery: { home: [], project: [], system: [] },
      bundle,
      trajectory: 'none',
      files: [],
      sessionPaths: [],
      ownSkills: [],
    },
    dir,
    digest: sha256('tool'),
  };
}

function madeStore(folder: string, engine: FakeEngine, project: Project = madeProject({})) {
  const events: RunEvent[] = [];
  const tools = {
    engine,
    project,
    projectRoot: folder,
    cacheDir: join(folder, 'cache'),
    proxyEnv: {},
    certificates: { caDir: '/nowhere' },
    emit: (event: RunEvent) => events.push(event),
    now: () => new Date(0),
    runSignal: signal,
  };
  return { store: makeImageStore(tools), events, tools };
}

async function folderWith(files: Files, input: FakeEngineInput = { images: { 'base:1': {} } }) {
  const folder = await temporaryFolder();
  await writeFiles(join(folder.path, 'environment'), files);
  const engine = makeFakeEngine(input);
  const task = madeTask('demo', join(folder.path, 'environment'), { skills });
  return { ...folder, engine, task, ...madeStore(folder.path, engine) };
}

describe('the image store', () => {
  test('gives all arms one audited image, built once, by id', async () => {
    await using made = await folderWith(TASK);
    const [one, two] = await Promise.all([
      made.store.taskImage(made.task, signal),
      made.store.taskImage(made.task, signal),
    ]);
    expect(two).toBe(one);
    expect(one.id).toMatch(/^sha256:/);
    expect(one).toMatchObject({
      way: 'skill-free',
      findings: [],
      skillTargets: [{ containerPath: '/root/.claude/skills', source: '', kind: 'folder' }],
      contextDigests: new Set([sha256(TASK.Dockerfile ?? ''), sha256('1\n')]),
    });
    expect(one.index.entries.has('/data.csv')).toBe(true);
    expect(made.engine.callsOf('build')).toHaveLength(1);
    expect(await made.store.baseImages([], signal)).toEqual({
      'base:1': { image: (await made.engine.image('base:1', signal))?.id, substituted: false },
    });
    expect(made.engine.leftovers()).toEqual([]);
  });

  test('refuses an image that holds a Skill, by name, and says so again without another build', async () => {
    await using made = await folderWith(
      { ...TASK, 'copy.txt': ALPHA['SKILL.md'], Dockerfile: 'FROM base:1\nCOPY data.csv /data.csv\n' },
      { images: { 'base:1': { files: { '/etc/claude-code/.claude/skills/m/SKILL.md': 'marker\n' } } } },
    );
    const refused = {
      reason: 'condition-violated',
      phase: 'build',
      message: expect.stringContaining('/etc/claude-code/.claude/skills/m/SKILL.md') as string,
    };
    for (let time = 0; time < 3; time++)
      await expect(made.store.taskImage(made.task, signal)).rejects.toMatchObject(refused);
    expect(made.engine.callsOf('build')).toHaveLength(1);
  });

  test('tries a failing build twice and then only repeats the reason', async () => {
    await using made = await folderWith({ ...TASK, Dockerfile: 'FROM base:1\nRUN exit 3\n' });
    for (let time = 0; time < 4; time++)
      await expect(made.store.taskImage(made.task, signal)).rejects.toMatchObject({
        reason: 'build-failed',
        message: expect.stringContaining('returned a non-zero code: 3') as string,
      });
    expect(made.engine.callsOf('build')).toHaveLength(2);
  });

  test('keeps asking an engine that was away', async () => {
    await using made = await folderWith(TASK);
    for (let time = 0; time < 3; time++) {
      made.engine.failNext('build', new EngineError('build', 'unreachable', 'nobody answers'));
      await expect(made.store.taskImage(made.task, signal)).rejects.toBeInstanceOf(EngineError);
    }
    expect(await made.store.taskImage(made.task, signal)).toMatchObject({ way: 'skill-free' });
  });

  test('gives the reason of the build as the task has it where a step fails with its Skills, too', async () => {
    await using made = await folderWith({
      ...TASK,
      Dockerfile:
        'FROM base:1\nENV PYTHONPATH=/root/.claude/skills/alpha\nCOPY skills /root/.claude/skills\nRUN exit 1\n',
    });
    const failure = await made.store.taskImage(made.task, signal).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      reason: 'build-failed',
      message: expect.stringContaining('non-zero code: 1') as string,
    });
    expect(new Set(made.engine.callsOf('build')).size).toBe(2);
  });

  test('tells in a notice where start-up names a Skill', async () => {
    await using made = await folderWith({
      ...TASK,
      Dockerfile: 'FROM base:1\nENV PYTHONPATH=/x/skills/alpha\n',
    });
    const { findings } = await made.store.taskImage(made.task, signal);
    expect(findings.map(({ code }) => code)).toEqual(['skill-named']);
    expect(made.events.filter(({ kind }) => kind === 'notice')).toEqual([
      {
        kind: 'notice',
        at: '1970-01-01T00:00:00.000Z',
        message: 'task demo: ENV PYTHONPATH names where Skills would be: PYTHONPATH=/x/skills/alpha',
      },
    ]);
  });

  test('tells missing sources and unsupported instructions before any build, with places', async () => {
    await using made = await folderWith({ ...TASK, Dockerfile: 'FROM base:1\nCOPY gone.bin /\n' });
    await expect(made.store.taskImage(made.task, signal)).rejects.toThrow(
      /environment\/Dockerfile:2: COPY names "gone.bin"/,
    );
    await writeFiles(join(made.path, 'environment'), { Dockerfile: 'FROM base:1\nRUN <<X\na\nX\n' });
    await expect(made.store.taskImage(made.task, signal)).rejects.toThrow(
      /environment\/Dockerfile:2: RUN uses a here-document.*; write the commands/,
    );
    expect(made.engine.callsOf('build')).toEqual([]);
  });

  test('fills the volume of a bundle once, and again after a process died while it was filled', async () => {
    await using made = await folderWith(TASK);
    const dir = join(made.path, 'harness');
    await writeFiles(dir, {
      'run.sh': 'run\n',
      Dockerfile: 'FROM base:1\nCOPY run.sh /opt/skillpair/harness/tool/run.sh\n',
    });
    const volume = (await made.store.harnessVolume(harness(dir), signal)) ?? '';
    const filled = made.engine.volumes.get(volume)?.files;
    expect(filled?.get('/run.sh')?.content.toString()).toBe('run\n');
    const [path, file] = [...(filled ?? [])].find(([each]) => each.endsWith('run.sh')) ?? [];
    filled?.clear();
    if (path !== undefined && file !== undefined) filled?.set(path, { ...file, content: Buffer.from('ru') });
    expect(await madeStore(made.path, made.engine).store.harnessVolume(harness(dir), signal)).toBe(volume);
    expect(made.engine.volumes.get(volume)?.files.get('/run.sh')?.content.toString()).toBe('run\n');
    expect(made.engine.callsOf('build')).toHaveLength(1);
    expect(made.engine.leftovers()).toEqual([]);
  });
});

describe('the version of a harness', () => {
  const FILES: Files = {
    'run.sh': 'run\n',
    Dockerfile: 'FROM base:1\nCOPY run.sh /opt/skillpair/harness/tool/run.sh\n',
  };
  const ASKED = '/opt/skillpair/harness/tool/run.sh --version';

  function asking(dir: string, version: string): Harness {
    const { manifest, ...rest } = harness(dir);
    return { ...rest, manifest: { ...manifest, version, versionCommand: ['{bundle}/run.sh', '--version'] } };
  }

  test('is read back once per bundle, in a container without network that cannot write the bundle', async () => {
    await using made = await folderWith(TASK, {
      images: { 'base:1': {} },
      programs: { [ASKED]: { stdout: 'a banner\ntool 1.2.3 (build 9)\n' } },
    });
    const dir = join(made.path, 'harness');
    await writeFiles(dir, FILES);
    const tool = asking(dir, '1.2.3');
    expect(made.store.harnessVersion(tool)).toBeUndefined();
    const volume = await made.store.harnessVolume(tool, signal);
    expect(made.store.harnessVersion(tool)).toBe('tool 1.2.3 (build 9)');
    const asked = made.engine.made
      .map(({ spec }) => spec)
      .filter(({ command }) => command.join(' ') === ASKED);
    expect(asked).toEqual([
      expect.objectContaining({
        network: 'none',
        mounts: [{ volume, target: '/opt/skillpair/harness/tool', readOnly: true, noCopy: true }],
      }),
    ]);
    const { store } = madeStore(made.path, made.engine);
    await store.harnessVolume(tool, signal);
    expect(store.harnessVersion(tool)).toBe('tool 1.2.3 (build 9)');
    expect(made.engine.callsOf('runMain')).toHaveLength(1);
    expect(made.engine.leftovers()).toEqual([]);
  });

  test.for([
    ['1.2', { stdout: 'tool 1.2.3\n' }, 'left with exit code 0 and said: tool 1.2.3'],
    ['2.3', { stdout: 'tool 1.2.3\n' }, 'left with exit code 0 and said: tool 1.2.3'],
    ['1.2.3', { exit: 127, stderr: 'no such file' }, 'left with exit code 127 and said: no such file'],
    ['1.2.3', { exit: 1, stdout: '1.2.3' }, 'left with exit code 1 and said: 1.2.3'],
    ['1.2.3', { durationMs: 61_000 }, 'did not end within 60 s and said nothing'],
  ] as const)('%s is refused where the program says %o', async ([version, said, reason]) => {
    await using made = await folderWith(TASK, { images: { 'base:1': {} }, programs: { [ASKED]: said } });
    const dir = join(made.path, 'harness');
    await writeFiles(dir, FILES);
    const failed = expect(made.store.harnessVolume(asking(dir, version), signal)).rejects;
    await failed.toMatchObject({
      reason: 'harness-install-failed',
      message: `harness tool: ${ASKED} must say ${version}; it ${reason}`,
    });
    expect(made.engine.leftovers()).toEqual([]);
  });
});

describe('the plan of images', () => {
  test('tells what would be built and what is there, without building or pulling', async () => {
    await using made = await folderWith(TASK);
    const dir = join(made.path, 'harness');
    await writeFiles(dir, { Dockerfile: 'FROM far:1\n' });
    const input = {
      ...made.tools,
      tasks: [made.task],
      harnesses: [harness(dir), harness(dir, false)],
      engine: made.engine,
    };
    const before = await planImages(input, signal);
    expect(before).toEqual([
      {
        purpose: 'task',
        subject: 'demo',
        tag: expect.stringMatching(/^skillpair\/task:/) as string,
        exists: false,
        deletedBecause: undefined,
        toPull: [],
        problems: [],
      },
      {
        purpose: 'harness',
        subject: 'tool',
        tag: undefined,
        exists: undefined,
        deletedBecause: undefined,
        toPull: ['far:1'],
        problems: [],
      },
    ]);
    expect([...made.engine.callsOf('build'), ...made.engine.callsOf('pull')]).toEqual([]);
    const image = await made.store.taskImage(made.task, signal);
    const [after] = await planImages(input, signal);
    expect(after).toMatchObject({ exists: true, tag: before[0]?.tag });
    expect(image.info.tags).toEqual([before[0]?.tag]);
  });

  test('without an engine still tells what the files have wrong, and why Skills are needed to build', async () => {
    await using made = await folderWith({
      ...TASK,
      Dockerfile: 'FROM base:1\nCOPY gone /\nRUN --mount=type=ssh true\n',
    });
    const input = { ...made.tools, tasks: [made.task], harnesses: [], engine: undefined };
    const [broken] = await planImages(input, signal);
    expect(broken?.problems.map(({ where, message }) => [where?.line, message])).toEqual([
      [3, expect.stringContaining('--mount') as string],
    ]);
    await writeFiles(join(made.path, 'environment'), { Dockerfile: 'FROM base:1\nCOPY gone /\n' });
    const [missing] = await planImages(input, signal);
    expect(missing?.problems.map(({ where }) => where?.line)).toEqual([2]);
  });

  test('says which tasks must be built with their Skills', async () => {
    await using made = await folderWith({
      ...TASK,
      Dockerfile: 'FROM base:1\nCOPY skills /s\nRUN cd /s/alpha && ls\n',
    });
    const [planned] = await planImages(
      { ...made.tools, tasks: [made.task], harnesses: [], engine: made.engine },
      signal,
    );
    expect(planned).toMatchObject({
      deletedBecause: expect.stringContaining('line 3') as string,
      exists: false,
    });
  });
});
