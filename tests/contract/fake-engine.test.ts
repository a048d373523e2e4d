import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../src/engine/engine.ts';
import { makeFakeEngine } from '../fakes/fake-engine.ts';
import { CONTRACT_PROGRAMS, engineContract } from './engine.contract.ts';

engineContract('the fake engine', async () => {
  const engine = makeFakeEngine({ images: { 'base:1': {} }, programs: CONTRACT_PROGRAMS });
  const [image] = [...engine.images.keys()];
  if (image === undefined) throw new Error('the fake has no image');
  return { engine, image, base: 'base:1' };
});

describe('the fake engine in the hands of a test', () => {
  const never = new AbortController().signal;
  const spec = {
    name: 'trial',
    command: ['agent', '--go'],
    env: {},
    labels: { 'skillpair.run': 'r' },
    cpus: 1,
    memoryBytes: 1,
    pids: 1,
    network: 'none',
    mounts: [],
  };

  it('fails the next call as told, once, and remembers all calls', async () => {
    const engine = makeFakeEngine({ images: { base: { files: { '/etc/os-release': 'debian' } } } });
    engine.failNext('image', new EngineError('inspect image', 'unreachable', 'the engine went down'));
    await expect(engine.image('base', never)).rejects.toMatchObject({ kind: 'unreachable' });
    expect((await engine.image('base', never))?.tags).toEqual(['base:latest']);
    expect(engine.callsOf('image')).toEqual(['base', 'base']);
  });

  it('lets a program see and change the files, and shows what is left over', async () => {
    const engine = makeFakeEngine({
      images: { base: { files: { '/workspace/in.txt': '20' }, workingDir: '/workspace' } },
      programs: {
        agent: (files) => ({
          stdout: `${files.get('/workspace/in.txt')?.content} +1`,
          changedFiles: { '/workspace/out.txt': '21', '/workspace/in.txt': null },
        }),
      },
    });
    const image = (await engine.image('base', never))?.id ?? '';
    const container = await engine.createContainer({ ...spec, image }, never);
    const [stdoutPath, stderrPath] = ['out', 'err'].map((name) =>
      join(tmpdir(), `skillpair-fake-${process.pid}.${name}`),
    );
    await container.runMain({
      stdoutPath: stdoutPath ?? '',
      stderrPath: stderrPath ?? '',
      timeoutMs: 1,
      graceMs: 1,
      signal: never,
    });
    expect(await container.changes(never)).toEqual([
      { path: '/workspace', kind: 'modified' },
      { path: '/workspace/in.txt', kind: 'deleted' },
      { path: '/workspace/out.txt', kind: 'added' },
    ]);
    expect(engine.leftovers()).toEqual(['trial']);
    await container.remove();
    expect(engine.leftovers()).toEqual([]);
  });
});
