import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { makeImageBuilder } from '../../../src/image/image-builder.ts';
import { type ImageRecipe, recipeDigest, recipeTag } from '../../../src/image/image-recipe.ts';
import { waitForLock } from '../../../src/image/wait-for-lock.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import { type FakeEngine, makeFakeEngine } from '../../fakes/fake-engine.ts';
import { sha256, temporaryFolder } from './made-project.ts';

function madeRecipe(more: Partial<ImageRecipe> = {}): ImageRecipe {
  const content = Buffer.from('1\n');
  return {
    purpose: 'task',
    subject: 'demo',
    entries: [{ path: 'data.csv', kind: 'file', mode: 0o644, size: 2, digest: sha256('1\n'), content }],
    text: 'FROM base\nCOPY data.csv /\n',
    bases: ['sha256:b', 'sha256:a'],
    platform: 'linux/amd64',
    timeoutMs: 1000,
    ...more,
  };
}

function madeBuilder(engine: FakeEngine, cacheDir: string) {
  const events: RunEvent[] = [];
  const run = new AbortController();
  const builder = makeImageBuilder({
    engine,
    cacheDir,
    proxyEnv: {},
    emit: (event) => events.push(event),
    now: () => new Date(0),
    runSignal: run.signal,
  });
  return { builder, events, run };
}

describe('the digest of a recipe', () => {
  const base = recipeDigest(madeRecipe());
  const [entry] = madeRecipe().entries;
  test.each<[string, Partial<ImageRecipe>]>([
    ['a byte of the context', { entries: [{ ...entry!, digest: sha256('2\n') }] }],
    ['a mode', { entries: [{ ...entry!, mode: 0o755 }] }],
    ['a path', { entries: [{ ...entry!, path: 'Data.csv' }] }],
    ['the Dockerfile', { text: 'FROM base\n' }],
    ['a base', { bases: ['sha256:a', 'sha256:c'] }],
    ['the platform', { platform: 'linux/arm64' }],
  ])('changes with %s', (_what, change) => {
    expect(recipeDigest(madeRecipe(change))).not.toBe(base);
  });

  test.each<[string, Partial<ImageRecipe>]>([
    ['the subject', { subject: 'other' }],
    ['the time limit', { timeoutMs: 5 }],
    ['the order of bases', { bases: ['sha256:a', 'sha256:b'] }],
    [
      'where bytes lie on the host',
      { entries: [{ ...entry!, content: { hostPath: '/elsewhere', size: 2 } }] },
    ],
  ])('does not change with %s', (_what, change) => {
    expect(recipeDigest(madeRecipe(change))).toBe(base);
  });

  test('is the tag', () => {
    expect(recipeTag(madeRecipe())).toBe(`skillpair/task:${base.slice(7)}`);
    expect(recipeTag(madeRecipe())).toMatch(/^skillpair\/task:[0-9a-f]{64}$/);
  });
});

describe('the image builder', () => {
  const signal = new AbortController().signal;
  const images = { base: {} };

  test('builds one digest once, however many ask at the same time, and labels what it builds', async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const { builder, events } = madeBuilder(engine, folder.path);
    const all = await Promise.all(Array.from({ length: 8 }, () => builder.build(madeRecipe(), signal)));
    expect(engine.callsOf('build')).toHaveLength(1);
    expect(new Set(all.map(({ info }) => info.id)).size).toBe(1);
    expect(all[0]?.info.labels).toEqual({
      'skillpair.managed': '1',
      'skillpair.kind': 'task-image',
      'skillpair.digest': recipeDigest(madeRecipe()),
      'skillpair.subject': 'demo',
    });
    expect(events).toEqual([
      { kind: 'build-started', at: '1970-01-01T00:00:00.000Z', what: 'task image demo' },
      {
        kind: 'build-ended',
        at: '1970-01-01T00:00:00.000Z',
        what: 'task image demo',
        durationMs: 0,
        cached: false,
      },
    ]);
  });

  test('among two processes one builds and the other finds', async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const [one, two] = [madeBuilder(engine, folder.path), madeBuilder(engine, folder.path)];
    const both = await Promise.all([
      one.builder.build(madeRecipe(), signal),
      two.builder.build(madeRecipe(), signal),
    ]);
    expect(engine.callsOf('build')).toHaveLength(1);
    expect(both.map(({ cached }) => cached).sort()).toEqual([false, true]);
  });

  test('takes over the lock of a process that died while it built', async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const lock = join(folder.path, 'locks', `build-${recipeDigest(madeRecipe()).slice(7)}.lock`);
    await mkdir(join(folder.path, 'locks'));
    await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    expect((await madeBuilder(engine, folder.path).builder.build(madeRecipe(), signal)).cached).toBe(false);
  });

  test("gives a failed build's own reason, and tries again when asked again", async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const { builder } = madeBuilder(engine, folder.path);
    engine.failNext('build', new EngineError('build x', 'build-failed', 'Step 2/2 : RUN false: code 1'));
    await expect(builder.build(madeRecipe(), signal)).rejects.toMatchObject({
      reason: 'build-failed',
      phase: 'build',
      message: 'task image demo: build x: Step 2/2 : RUN false: code 1',
    });
    expect((await builder.build(madeRecipe(), signal)).cached).toBe(false);
  });

  test('tells of the setting for slow machines when the time of a task is up, and of it alone', async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const { builder } = madeBuilder(engine, folder.path);
    const slow = new EngineError(
      'build x',
      'build-timeout',
      'Step 2/2 : RUN make: not finished within its 1 s',
    );
    engine.failNext('build', slow);
    await expect(builder.build(madeRecipe(), signal)).rejects.toMatchObject({
      reason: 'build-failed',
      message: expect.stringMatching(/not finished within its 1 s\n.*images\.buildTimeFactor/) as string,
    });
    engine.failNext('build', slow);
    await expect(builder.build(madeRecipe({ purpose: 'base' }), signal)).rejects.toMatchObject({
      message: expect.not.stringContaining('buildTimeFactor') as string,
    });
  });

  test('calls a failed harness bundle by its own reason, and a lost engine no failed build', async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const { builder } = madeBuilder(engine, folder.path);
    engine.failNext('build', new EngineError('build x', 'build-failed', 'no'));
    const harness = madeRecipe({ purpose: 'harness' });
    await expect(builder.build(harness, signal)).rejects.toMatchObject({ reason: 'harness-install-failed' });
    engine.failNext('build', new EngineError('build x', 'unreachable', 'nobody answers'));
    await expect(builder.build(madeRecipe(), signal)).rejects.toBeInstanceOf(EngineError);
  });

  test('a caller that gives up waits no longer, and the build goes on for the others', async () => {
    await using folder = await temporaryFolder();
    const engine = makeFakeEngine({ images });
    const { builder } = madeBuilder(engine, folder.path);
    const gone = new AbortController();
    const [left, stayed] = [builder.build(madeRecipe(), gone.signal), builder.build(madeRecipe(), signal)];
    gone.abort(new Error('this trial was stopped'));
    await expect(left).rejects.toThrow('this trial was stopped');
    expect((await stayed).cached).toBe(false);
  });

  test('waiting for a lock ends with the run', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'x.lock');
    await using _held = await waitForLock(path, signal);
    const run = new AbortController();
    const waiting = waitForLock(path, run.signal);
    run.abort(new Error('the run was stopped'));
    await expect(waiting).rejects.toThrow('the run was stopped');
  });
});
