import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine } from '../../../../src/engine/docker/connect.ts';
import type { Container, ContainerSpec } from '../../../../src/engine/engine.ts';
import type { MainExit, RunMainOptions } from '../../../../src/engine/main-process.ts';
import {
  type DockerSocket,
  makeDockerSocket,
  type SocketScript,
  streamFrame,
} from '../../../fakes/docker-socket.ts';

const SPEC: ContainerSpec = {
  name: 'trial',
  image: 'sha256:1',
  command: ['agent'],
  env: {},
  labels: { 'skillpair.trial': 't' },
  cpus: 1,
  memoryBytes: 1,
  pids: 1,
  network: 'none',
  mounts: [],
};

const inspect =
  (State: Record<string, unknown>): SocketScript =>
  ({ json }) =>
    json({ State: { Running: false, Status: 'exited', StartedAt: '2026-03-01T10:00:00Z', ...State } });

/** What the engine remembers of a container, as its stream of events has it. */
const remembers =
  (...actions: readonly string[]): SocketScript =>
  ({ write, end }) => {
    for (const Action of actions) write(`${JSON.stringify({ Type: 'container', Action })}\n`);
    end();
  };

/** A container that writes `out` and ends with 0; tests replace what they are about. */
const GOOD: Readonly<Record<string, SocketScript>> = {
  'POST /containers/create': ({ json }) => json({ Id: 'c1' }, 201),
  'POST /containers/c1/attach': ({ upgrade }) => upgrade().end(streamFrame(1, 'out')),
  'POST /containers/c1/start': ({ json }) => json(null),
  'POST /containers/c1/wait': ({ json }) => json({ StatusCode: 0 }),
  'GET /containers/c1/json': inspect({ ExitCode: 0 }),
  'GET /events': remembers('die'),
};

describe('running a main process', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'skillpair-run-main-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const options = (more: Partial<RunMainOptions> = {}): RunMainOptions => ({
    stdoutPath: join(dir, 'stdout'),
    stderrPath: join(dir, 'stderr'),
    timeoutMs: 60_000,
    graceMs: 50,
    signal: new AbortController().signal,
    ...more,
  });
  async function withContainer<T>(
    scripts: Readonly<Record<string, SocketScript>>,
    use: (container: Container, socket: DockerSocket) => Promise<T>,
  ): Promise<T> {
    await using socket = await makeDockerSocket({ ...GOOD, ...scripts });
    const engine = await connectEngine({ env: { DOCKER_HOST: socket.address } });
    return await use(await engine.createContainer(SPEC, new AbortController().signal), socket);
  }
  const run = (
    scripts: Readonly<Record<string, SocketScript>>,
    more: Partial<RunMainOptions> = {},
  ): Promise<MainExit> => withContainer(scripts, (container) => container.runMain(options(more)));

  it('is out of memory also where the engine hears of that after the end', async () => {
    let looks = 0;
    const exit = await run({
      'POST /containers/c1/wait': ({ json }) => json({ StatusCode: 137 }),
      'GET /containers/c1/json': (...call) => inspect({ ExitCode: 137, OOMKilled: ++looks > 2 })(...call),
    });
    expect([exit.outOfMemory, exit.signal, looks]).toEqual([true, undefined, 3]);
  });

  it('takes exactly the calls it needs', async () => {
    const requests = await withContainer({}, async (container, socket) => {
      await container.runMain(options());
      return socket.requests;
    });
    expect(requests).toEqual([
      'GET /_ping',
      'POST /containers/create',
      'POST /containers/c1/attach',
      'POST /containers/c1/start',
      'POST /containers/c1/wait',
      'GET /events',
      'GET /containers/c1/json',
    ]);
  });

  it('keeps what came of a stream that breaks off inside a frame, and says so', async () => {
    const exit = await run({
      'POST /containers/c1/attach': ({ upgrade }) => upgrade().end(streamFrame(1, 'whole').subarray(0, -1)),
    });
    expect(exit).toMatchObject({ exitCode: 0, stdoutBytes: 4 });
    expect(exit.outputFault).toMatch(/^incomplete stream: 1 bytes of a stdout frame/);
    expect(await readFile(join(dir, 'stdout'), 'utf8')).toBe('whol');
  });

  it('never takes a missing exit code for 0', async () => {
    const exit = await run({ 'GET /containers/c1/json': inspect({ ExitCode: null }) });
    expect(exit).toMatchObject({ exitCode: null, outOfMemory: false });
  });

  it.each([
    ['killed from outside', { ExitCode: 137 }, { exitCode: null, signal: 'SIGKILL', outOfMemory: false }],
    ['out of memory', { ExitCode: 137, OOMKilled: true }, { exitCode: null, outOfMemory: true }],
    ['a program that exits 125', { ExitCode: 125 }, { exitCode: 125, outOfMemory: false }],
  ])('reports %s', async (_what, state, expected) => {
    expect(await run({ 'GET /containers/c1/json': inspect(state) })).toMatchObject(expected);
  });

  it('rejects with the engine reason when the engine cannot start it', async () => {
    const promise = run({
      'POST /containers/c1/start': ({ fail }) =>
        fail(
          400,
          'failed to create shim: OCI runtime create failed: exec: "nope": executable file not found in $PATH',
        ),
      'POST /containers/c1/attach': ({ upgrade }) => void upgrade(),
    });
    await expect(promise).rejects.toMatchObject({ operation: 'start container', kind: 'other' });
    await expect(promise).rejects.toThrow(/executable file not found/);
  });

  it('rejects when the init could not execute the command, but not for a program that says the same and more', async () => {
    const line = '[FATAL tini (7)] exec nope failed: No such file or directory\n';
    const failing = (stderr: string): Record<string, SocketScript> => ({
      'POST /containers/c1/attach': ({ upgrade }) => upgrade().end(streamFrame(2, stderr)),
      'GET /containers/c1/json': inspect({ ExitCode: 127 }),
    });
    await expect(run(failing(line))).rejects.toThrow('exec nope failed: No such file or directory');
    expect(await run(failing(`working\n${line}`))).toMatchObject({ exitCode: 127 });
  });

  const breaksOff: SocketScript = ({ write, hangUp }) => {
    write(' ');
    setImmediate(hangUp);
  };

  it('rejects when the engine is lost while it waits, even after the head of the answer', async () => {
    const gone: SocketScript = ({ hangUp }) => hangUp();
    let pings = 0;
    const promise = run({
      'GET /_ping': (answer, request) => (++pings === 1 ? answer.json('OK') : gone(answer, request)),
      'POST /containers/c1/wait': breaksOff,
    });
    await expect(promise).rejects.toMatchObject({ operation: 'wait for container', kind: 'unreachable' });
  });

  it('waits again when the connection breaks and the engine is there', async () => {
    let waits = 0;
    const exit = await run({
      'POST /containers/c1/wait': (answer, request) =>
        ++waits === 1 ? breaksOff(answer, request) : answer.json({ StatusCode: 0 }),
    });
    expect([exit.exitCode, waits]).toEqual([0, 2]);
  });

  it('rejects where somebody ended the process by way of the engine, whatever the process made of it', async () => {
    await expect(run({ 'GET /events': remembers('kill', 'die') })).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'wait for container: the engine ended it: it was stopped, restarted or told to',
    });
  });

  it('rejects where the engine was away and remembers nothing of the process any more: it was restarted', async () => {
    const waits: SocketScript[] = [breaksOff, ({ json }) => json({ StatusCode: 0 })];
    const promise = run({
      'POST /containers/c1/wait': (answer, request) => waits.shift()?.(answer, request),
      'GET /events': remembers(),
    });
    await expect(promise).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'wait for container: the engine was restarted meanwhile',
    });
  });

  it.each<[string, SocketScript]>([
    ['keeps no events', remembers()],
    ['does not know the question', ({ fail }) => fail(404, 'page not found')],
    ['says nothing and leaves the answer open', ({ write }) => write(' ')],
  ])('takes the word of an engine that was there all the time and %s', async (_what, events) => {
    expect(await run({ 'GET /events': events })).toMatchObject({ exitCode: 0 });
  });

  it('is not held up by an engine that never tells of the end: once the output has ended, it is asked', async () => {
    const asked: boolean[] = [true, false];
    const exit = await run({
      'POST /containers/c1/wait': () => undefined,
      'GET /containers/c1/json': (answer, request) =>
        inspect({ Running: asked.shift() ?? false, ExitCode: 0 })(answer, request),
    });
    expect([exit.exitCode, asked]).toEqual([0, []]);
  });

  it('starts a process once, where the answer to the start got lost', async () => {
    let starts = 0;
    const exit = await run({
      'POST /containers/c1/start': ({ hangUp }) => {
        starts++;
        hangUp();
      },
    });
    expect([exit.exitCode, starts]).toEqual([0, 1]);
  });

  it('does not wait for ever for a stream that the engine leaves open after the end', async () => {
    const exit = await run({
      'POST /containers/c1/attach': ({ upgrade }) => void upgrade().write(streamFrame(1, 'out')),
    });
    expect(exit.stdoutBytes).toBe(3);
    expect(exit.outputFault).toMatch(/did not close the stream/);
  });

  /** A process that ends when it gets one of the signals. */
  const endedBy = (...deadly: readonly string[]) => {
    const signals: string[] = [];
    let wait: (() => void) | undefined;
    let stream: Duplex | undefined;
    const scripts: Record<string, SocketScript> = {
      'POST /containers/c1/attach': ({ upgrade }) => {
        stream = upgrade();
      },
      'POST /containers/c1/wait': ({ json }) => {
        wait = () => json({ StatusCode: 137 });
      },
      'POST /containers/c1/kill': ({ json }, { query }) => {
        signals.push(query.signal ?? '');
        json(null);
        if (!deadly.includes(query.signal ?? '')) return;
        stream?.end();
        wait?.();
      },
      'GET /containers/c1/json': inspect({ ExitCode: 137 }),
    };
    return { signals, scripts };
  };

  it('sends TERM at the limit, and no more to a process that heeds it', async () => {
    const { signals, scripts } = endedBy('SIGTERM');
    const exit = await run(scripts, { timeoutMs: 30, graceMs: 30_000 });
    expect(exit).toMatchObject({ endedBy: 'timeout', exitCode: null });
    expect(signals).toEqual(['SIGTERM']);
  });

  it('kills what ignores TERM, after the grace', async () => {
    const { signals, scripts } = endedBy('SIGKILL');
    expect(await run(scripts, { timeoutMs: 30 })).toMatchObject({ endedBy: 'timeout' });
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  });

  it('remembers the limit that fired first', async () => {
    const abort = new AbortController();
    const { scripts } = endedBy('SIGKILL');
    const kill = scripts['POST /containers/c1/kill'] as SocketScript;
    scripts['POST /containers/c1/kill'] = (answer, request) => {
      abort.abort();
      return kill(answer, request);
    };
    expect(await run(scripts, { timeoutMs: 30, signal: abort.signal })).toMatchObject({ endedBy: 'timeout' });
  });

  it('ends it on abort in the same way', async () => {
    const abort = new AbortController();
    const { signals, scripts } = endedBy('SIGKILL');
    const start: SocketScript = ({ json }) => {
      json(null);
      abort.abort();
    };
    const exit = await run({ ...scripts, 'POST /containers/c1/start': start }, { signal: abort.signal });
    expect(exit).toMatchObject({ endedBy: 'abort' });
    expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  });

  it('does not start anything for a caller that has given up', async () => {
    await withContainer({}, async (container, socket) => {
      const promise = container.runMain(options({ signal: AbortSignal.abort() }));
      await expect(promise).rejects.toMatchObject({ kind: 'aborted' });
      expect(socket.requests).not.toContain('POST /containers/c1/start');
    });
  });

  it('counts a process that was faster than its TERM as ended by itself', async () => {
    let wait: (() => void) | undefined;
    const exit = await run(
      {
        'POST /containers/c1/wait': ({ json }) => {
          wait = () => json({ StatusCode: 0 });
        },
        'POST /containers/c1/kill': ({ fail }) => {
          fail(409, 'Cannot kill container: c1: Container c1 is not running');
          wait?.();
        },
      },
      { timeoutMs: 30 },
    );
    expect(exit).toMatchObject({ exitCode: 0 });
    expect(exit.endedBy).toBeUndefined();
  });

  it('rejects when the output cannot be written, and ends the process first', async () => {
    const { signals, scripts } = endedBy('SIGTERM');
    scripts['POST /containers/c1/attach'] = ({ upgrade }) => {
      const stream = upgrade();
      for (let index = 0; index < 4; index++) stream.write(streamFrame(1, Buffer.alloc(2 ** 16)));
    };
    const promise = run(scripts, { stdoutPath: '/dev/full' });
    await expect(promise).rejects.toMatchObject({ operation: 'write output', kind: 'no-space' });
    expect(signals).toEqual(['SIGTERM']);
  });

  it('rejects before anything is started when the output files cannot be made', async () => {
    await withContainer({}, async (container, socket) => {
      const promise = container.runMain(options({ stdoutPath: join(dir, 'no/such/folder') }));
      await expect(promise).rejects.toMatchObject({ operation: 'open output files' });
      expect(socket.requests).not.toContain('POST /containers/c1/attach');
    });
  });

  it('waits for 64 processes at once, none held up by another', async () => {
    const waiting: (() => void)[] = [];
    const route = (id: number) => `/containers/c${id}`;
    const scripts: Record<string, SocketScript> = { 'GET /events': remembers('die') };
    for (let id = 0; id < 64; id++) {
      scripts[`POST ${route(id)}/attach`] = ({ upgrade }) => void upgrade().end(streamFrame(1, 'x'));
      scripts[`POST ${route(id)}/start`] = ({ json }) => json(null);
      scripts[`POST ${route(id)}/wait`] = ({ json }) => {
        waiting.push(() => json({ StatusCode: 0 }));
        if (waiting.length === 64) for (const end of waiting) end();
      };
      scripts[`GET ${route(id)}/json`] = inspect({ ExitCode: 0 });
    }
    let made = 0;
    scripts['POST /containers/create'] = ({ json }) => json({ Id: `c${made++}` }, 201);
    await using socket = await makeDockerSocket(scripts);
    const engine = await connectEngine({ env: { DOCKER_HOST: socket.address } });
    const signal = new AbortController().signal;
    const exits = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const container = await engine.createContainer(SPEC, signal);
        return container.runMain(
          options({ signal, stdoutPath: join(dir, `o${index}`), stderrPath: join(dir, `e${index}`) }),
        );
      }),
    );
    expect(exits.map(({ exitCode, stdoutBytes }) => [exitCode, stdoutBytes])).toEqual(Array(64).fill([0, 1]));
  });
});
