import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../src/engine/docker/connect.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { streamFrame } from '../fakes/docker-socket.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { leftOf, runBench, said } from '../unit/run/run-bench.ts';

const AT_ONCE = 64;
const TRIALS = 200;
const OUTPUT = Buffer.alloc(64 << 10, 'x');
const SIZES = { cpus: 1, memoryBytes: 1, pids: 1, network: 'none', mounts: [] };

const openFiles = () => readdirSync('/proc/self/fd').length;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** An engine whose containers write 64 KiB and end; it keeps nothing of them. */
async function anEngine(path: string): Promise<{ readonly server: Server; readonly engine: Engine }> {
  let made = 0;
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://engine');
    const answer = (value: unknown) => outgoing.end(JSON.stringify(value));
    incoming.resume().on('end', () => {
      if (pathname.endsWith('/create')) answer({ Id: `c${++made}` });
      else if (pathname.endsWith('/json'))
        answer({
          State: { Running: false, ExitCode: 0, Status: 'exited', StartedAt: '2026-03-01T10:00:00Z' },
        });
      else answer({ StatusCode: 0 });
    });
  });
  server.on('upgrade', (_incoming, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
    socket.end(streamFrame(1, OUTPUT));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { server, engine: await connectEngine({ env: { DOCKER_HOST: `unix://${path}` } }) };
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

describe('200 trials, 64 at once', () => {
  it('leave no file open, in whatever phase they are', async () => {
    await using bench = await runBench({
      experiment: `configurations: [{ harness: agent }]\ntrials: ${TRIALS / 2}\nconcurrency: ${AT_ONCE}\n`,
    });
    // What the first trials open for good (image index, thread pool) is no leak.
    await bench.run({ trials: ({ index }) => index <= 4 });
    const before = openFiles();
    let most = 0;
    await bench.run({
      trials: ({ index }) => index > 4,
      onEvent: () => {
        most = Math.max(most, openFiles());
      },
    });
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(
      Array.from({ length: TRIALS }, () => 'passed'),
    );
    // Two streams of each, and as much again for what is read and written meanwhile.
    expect(most - before).toBeLessThanOrEqual(4 * AT_ONCE);
    expect(openFiles() - before).toBeLessThanOrEqual(2);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('take no more connections, files and memory for the second hundred than for the first', async () => {
    await using folder = await temporaryFolder();
    const { server, engine } = await anEngine(join(folder.path, 'engine.sock'));
    const { signal } = new AbortController();
    const seen = { connections: 0 };
    const process = async (number: number) => {
      const spec = {
        ...SIZES,
        name: `trial-${number}`,
        image: 'sha256:1',
        command: ['x'],
        env: {},
        labels: {},
      };
      await using container = await engine.createContainer(spec, signal);
      const [stdoutPath, stderrPath] = [
        join(folder.path, `${number}.out`),
        join(folder.path, `${number}.err`),
      ];
      await container.runMain({ stdoutPath, stderrPath, timeoutMs: 60_000, graceMs: 1, signal });
      seen.connections = Math.max(seen.connections, await connectionsOf(server));
      expect((await readFile(stdoutPath)).byteLength).toBe(OUTPUT.byteLength);
    };
    const hundred = async (from: number) => {
      const limit = pLimit(AT_ONCE);
      await Promise.all(Array.from({ length: TRIALS / 2 }, (_, place) => limit(() => process(from + place))));
      collectGarbage();
      return { memory: globalThis.process.memoryUsage().heapUsed, files: openFiles() };
    };
    await hundred(0);
    const first = await hundred(1000);
    const second = await hundred(2000);
    // Attach, wait and one call at a time.
    expect(seen.connections).toBeLessThanOrEqual(3 * AT_ONCE);
    expect(second.files - first.files).toBeLessThanOrEqual(AT_ONCE);
    expect(await connectionsOf(server)).toBeLessThanOrEqual(AT_ONCE);
    // 64 KiB of output each: what is kept of a trial must be far less than what has passed.
    expect(second.memory - first.memory).toBeLessThan((TRIALS / 2) * 10_000);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
