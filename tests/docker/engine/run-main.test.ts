import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar } from '../../../src/engine/archive.ts';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { Container, ContainerSpec, Engine, ImageId } from '../../../src/engine/engine.ts';
import type { MainExit } from '../../../src/engine/main-process.ts';
import { baseImage } from './base-image.ts';

const LABELS = { 'skillpair.test': `run-main-${process.pid}` };
const LIMIT_MS = 3_000;
const GRACE_MS = 500;
/** The limit, the grace, and what a busy machine may take to kill a container. */
const LATEST_MS = LIMIT_MS + GRACE_MS + 5_000;
const never = new AbortController().signal;

describe('a main process on Docker', () => {
  let engine: Engine;
  let image: ImageId;
  let dir: string;
  let made = 0;
  beforeAll(async () => {
    engine = await connectEngine({ env: process.env });
    image = (await baseImage(engine)).id;
    dir = await mkdtemp(join(tmpdir(), 'skillpair-run-main-'));
  });
  afterAll(async () => {
    for (const object of await engine.owned(LABELS, never)) await engine.remove(object, never);
    await rm(dir, { recursive: true });
  });

  const create = (script: string, more: Partial<ContainerSpec> = {}): Promise<Container> =>
    engine.createContainer(
      {
        name: `skillpair-run-main-${process.pid}-${++made}`,
        image,
        command: ['bash', '-c', script],
        env: {},
        labels: LABELS,
        cpus: 1,
        memoryBytes: 256 * 2 ** 20,
        pids: 400,
        network: 'none',
        mounts: [],
        ...more,
      },
      never,
    );
  const main = (container: Container, timeoutMs = LIMIT_MS): Promise<MainExit> =>
    container.runMain({
      stdoutPath: join(dir, `${container.name}.out`),
      stderrPath: join(dir, `${container.name}.err`),
      timeoutMs,
      graceMs: GRACE_MS,
      signal: never,
    });
  const readFrom = async (container: Container, path: string): Promise<string | undefined> => {
    const tar = await container.get(path, never);
    if (tar === undefined) return undefined;
    for await (const { content } of readTar(tar)) return text(content);
    return undefined;
  };
  /** Timed out within the bounds, and the container has no process any more: it gives up its files unchanged. */
  const expectStopped = async (container: Container, exit: MainExit): Promise<void> => {
    expect(exit.endedBy).toBe('timeout');
    expect(exit.durationMs).toBeGreaterThanOrEqual(LIMIT_MS);
    expect(exit.durationMs).toBeLessThan(LATEST_MS);
    expect(exit.outputFault).toBeUndefined();
    const again = await container.runMain({
      stdoutPath: join(dir, 'again.out'),
      stderrPath: join(dir, 'again.err'),
      timeoutMs: 1,
      graceMs: 0,
      signal: never,
    });
    // Only a stopped container can be started again.
    expect(again.endedBy).toBe('timeout');
  };

  it('is killed when it ignores TERM', async () => {
    await using container = await create('trap "" TERM; echo begun; while :; do sleep 0.2; done');
    const exit = await main(container);
    expect(exit).toMatchObject({ exitCode: null, signal: 'SIGKILL', stdoutBytes: 6 });
    await expectStopped(container, exit);
  });

  it('ends with its children in sessions of their own when it exits itself', async () => {
    await using container = await create(
      'setsid sh -c "while :; do date +%s%N > /tmp/tick; sleep 0.2; done" & exit 7',
    );
    const exit = await main(container);
    expect(exit).toMatchObject({ exitCode: 7 });
    expect(exit.endedBy).toBeUndefined();
    const tick = await readFrom(container, '/tmp/tick');
    const later = await readFrom(container, '/tmp/tick');
    expect(later).toBe(tick);
  });

  it('takes a grandchild with it that holds its output open and writes to a file', async () => {
    await using container = await create(
      'trap "" TERM; (trap "" TERM; setsid sh -c "while :; do echo tick >> /tmp/ticks; echo out; sleep 0.2; done") & wait',
    );
    const exit = await main(container);
    const ticks = await readFrom(container, '/tmp/ticks');
    expect(ticks?.length).toBeGreaterThan(5 * 5);
    expect(await readFrom(container, '/tmp/ticks')).toBe(ticks);
    await expectStopped(container, exit);
  });

  it('is stopped with 200 zombies', async () => {
    await using container = await create('for i in $(seq 200); do (exit 0) & done; exec sleep 600');
    await expectStopped(container, await main(container));
  });

  it('keeps the work it did before its limit', async () => {
    await using container = await create('echo done > /tmp/work; exec sleep 600');
    const exit = await main(container);
    expect(await readFrom(container, '/tmp/work')).toBe('done\n');
    await expectStopped(container, exit);
  });

  it('is not timed out by us when its own inner limit is shorter', async () => {
    await using container = await create('timeout 2 sleep 600');
    const exit = await main(container, 20_000);
    expect(exit).toMatchObject({ exitCode: 124 });
    expect(exit.endedBy).toBeUndefined();
    expect(exit.durationMs).toBeGreaterThan(1_500);
    expect(exit.durationMs).toBeLessThan(10_000);
  });

  it('leaves no core file where it crashes, and cannot ask for one', async () => {
    await using container = await create(
      'cd /tmp; ulimit -c unlimited; sh -c "kill -SEGV \\$\\$"; echo $?; ls /tmp; grep "core file" /proc/self/limits',
    );
    await main(container);
    const said = await readFile(join(dir, `${container.name}.out`), 'utf8');
    expect(said.replace(/ +/g, ' ')).toBe('139\nMax core file size 0 0 bytes \n');
  });

  it('ends by itself when it is just faster than its limit', async () => {
    await using container = await create('sleep 2.5; exit 3');
    const exit = await main(container);
    expect(exit).toMatchObject({ exitCode: 3 });
    expect(exit.endedBy).toBeUndefined();
  });

  it('does not hold up another while it is being stopped', async () => {
    await using stubborn = await create('trap "" TERM; while :; do sleep 0.2; done');
    await using quick = await create('for i in 1 2 3 4 5 6; do sleep 0.5; done; echo done');
    const [first, second] = await Promise.all([main(stubborn), main(quick, 30_000)]);
    expect(first.endedBy).toBe('timeout');
    expect(second).toMatchObject({ exitCode: 0 });
    expect(second.durationMs).toBeLessThan(8_000);
  });

  it('is out of memory when the engine says so', async () => {
    await using container = await create('exec tail /dev/zero', { memoryBytes: 32 * 2 ** 20 });
    expect(await main(container, 60_000)).toMatchObject({ exitCode: null, outOfMemory: true });
  });

  it('cannot make more processes than it may', async () => {
    await using container = await create('for i in $(seq 40); do sleep 5 & done; wait; echo unreachable', {
      pids: 12,
    });
    await main(container, 10_000);
    expect(await readFile(join(dir, `${container.name}.err`), 'utf8')).toMatch(
      /fork: .*Resource temporarily unavailable/,
    );
  });

  it('sees the environment of its spec, empty values too', async () => {
    await using container = await create('printenv KEPT EMPTY HOME', {
      env: { KEPT: 'two words', EMPTY: '', HOME: '/elsewhere' },
    });
    await main(container);
    expect(await readFile(join(dir, `${container.name}.out`), 'utf8')).toBe('two words\n\n/elsewhere\n');
  });

  it('gains no privileges, reaches no network, and has no terminal or input', async () => {
    await using container = await create(
      'grep NoNewPrivs /proc/self/status; ls /sys/class/net; test -t 1 || echo no terminal; read line || echo no input',
    );
    await main(container);
    expect(await readFile(join(dir, `${container.name}.out`), 'utf8')).toBe(
      'NoNewPrivs:\t1\nlo\nno terminal\nno input\n',
    );
  });

  it('fails to start with the reason of the engine when its user is unknown', async () => {
    await using container = await create('true', { user: 'nobody-here' });
    await expect(main(container)).rejects.toMatchObject({
      operation: 'start container',
      message: expect.stringContaining('nobody-here') as string,
    });
  });

  it('writes 64 MiB to disk, every byte, with flat memory', async () => {
    await using container = await create('head -c 67108864 /dev/zero', { cpus: 2 });
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const exit = await main(container, 120_000);
    clearInterval(watch);
    expect(exit).toMatchObject({ exitCode: 0, stdoutBytes: 67_108_864 });
    expect((await stat(join(dir, `${container.name}.out`))).size).toBe(67_108_864);
    expect(peak - before).toBeLessThan(32 * 2 ** 20);
  });
});
