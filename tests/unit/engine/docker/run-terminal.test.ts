import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../../../src/engine/docker/connect.ts';
import type { ContainerSpec } from '../../../../src/engine/engine.ts';
import type { RunTerminalOptions } from '../../../../src/engine/main-process.ts';
import { makeDockerSocket, type SocketScript, streamFrame } from '../../../fakes/docker-socket.ts';

const SPEC: ContainerSpec = {
  ...{ name: 'try', image: 'sha256:1', command: ['sh'], env: {}, labels: {}, mounts: [] },
  ...{ cpus: 1, memoryBytes: 1, pids: 1, network: 'none' },
};
const ENDED = { Running: false, Status: 'exited', StartedAt: '2026-03-01T10:00:00Z', ExitCode: 0 };

/** A process that ends when the test says so. */
function process() {
  const end = Promise.withResolvers<void>();
  const scripts: Record<string, SocketScript> = {
    'POST /containers/create': ({ json }) => json({ Id: 'c1' }, 201),
    'POST /containers/c1/start': ({ json }) => json(null),
    'POST /containers/c1/wait': ({ json }) => void end.promise.then(() => json({ StatusCode: 0 })),
    'POST /containers/c1/resize': ({ json }) => json(null),
    'GET /containers/c1/json': ({ json }) => json({ State: ENDED }),
    'GET /events': ({ json }) => json({ Action: 'die' }),
  };
  return { end: end.resolve, scripts };
}

async function terminal(
  scripts: Readonly<Record<string, SocketScript>>,
  stdin: 'pipe' | 'terminal',
  use: (run: (more?: Partial<RunTerminalOptions>) => ReturnType<typeof begin>) => Promise<void>,
) {
  await using socket = await makeDockerSocket(scripts);
  const engine = await connectEngine({ env: { DOCKER_HOST: socket.address } });
  const container = await engine.createContainer({ ...SPEC, stdin }, new AbortController().signal);
  await use((more) => begin(container, more));
}

type Ready = Awaited<ReturnType<Awaited<ReturnType<typeof connectEngine>>['createContainer']>>;

function begin(container: Ready, more: Partial<RunTerminalOptions> = {}) {
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const limits = { timeoutMs: Number.POSITIVE_INFINITY, graceMs: 50, signal: new AbortController().signal };
  const ended = container.runTerminal({ ...limits, input, stdout, stderr, ...more });
  return { input, stdout, stderr, ended };
}

describe('a main process with somebody in front of it', () => {
  it('passes a terminal on as it is, and frames nothing', async () => {
    const { end, scripts } = process();
    const attach: SocketScript = ({ upgrade }) => {
      const socket = upgrade();
      socket.once('data', (typed: Buffer) => {
        socket.end(Buffer.concat([Buffer.from([1, 0, 0, 0, 0xff]), typed]));
        end();
      });
    };
    await terminal({ ...scripts, 'POST /containers/c1/attach': attach }, 'terminal', async (run) => {
      const { input, stdout, ended } = run();
      input.write('ls\r');
      expect(await ended).toMatchObject({ exitCode: 0, stdoutBytes: 8, stderrBytes: 0 });
      expect(stdout.read()).toEqual(Buffer.from([1, 0, 0, 0, 0xff, 0x6c, 0x73, 0x0d]));
    });
  });

  it('tells the engine the size of the window at the start and whenever it changes, until the end', async () => {
    const { end, scripts } = process();
    const sizes: string[] = [];
    const resized = Promise.withResolvers<void>();
    let changed: () => void = () => undefined;
    let listening = true;
    let rows = 24;
    const resize: SocketScript = ({ json }, { query }) => {
      sizes.push(`${query.h} by ${query.w}`);
      json(null);
      if (sizes.length === 2) resized.resolve();
      else
        setImmediate(() => {
          rows = 50;
          changed();
        });
    };
    const attach: SocketScript = ({ upgrade }) => {
      const socket = upgrade();
      void resized.promise.then(() => {
        socket.end();
        end();
      });
    };
    const both = { ...scripts, 'POST /containers/c1/attach': attach, 'POST /containers/c1/resize': resize };
    await terminal(both, 'terminal', async (run) => {
      const onResize = (listener: () => void) => {
        changed = listener;
        return () => {
          listening = false;
        };
      };
      await run({ size: () => ({ columns: 80, rows }), onResize }).ended;
      expect(sizes).toEqual(['24 by 80', '50 by 80']);
      expect(listening).toBe(false);
    });
  });

  it('lets go of the input at the end, which may still be open', async () => {
    const { end, scripts } = process();
    const attach: SocketScript = ({ upgrade }) => {
      upgrade().end(streamFrame(2, 'bye'));
      end();
    };
    await terminal({ ...scripts, 'POST /containers/c1/attach': attach }, 'pipe', async (run) => {
      const { input, stderr, ended } = run();
      await ended;
      expect(String(stderr.read())).toBe('bye');
      expect(input.isPaused()).toBe(true);
      expect(input.listenerCount('error')).toBe(0);
    });
  });

  it('rejects an engine that answers without handing the connection over', async () => {
    const { scripts } = process();
    const attach: SocketScript = ({ json }) => json({});
    await terminal({ ...scripts, 'POST /containers/c1/attach': attach }, 'pipe', async (run) => {
      await expect(run().ended).rejects.toMatchObject({ operation: 'attach', kind: 'protocol' });
    });
  });
});
