import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { Container, Engine, ImageId, Network } from '../../../src/engine/engine.ts';

const LABELS = { 'skillpair.test': `network-${process.pid}` };
/** With Python. */
const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';
const never = new AbortController().signal;

/** Prints `yes` or `no` for each address:port, one try of two seconds each. */
const PROBE = `import socket, sys
for place in sys.argv[1:]:
    host, port = place.rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), 2).close()
        print("yes")
    except OSError:
        print("no")`;

describe('networks of a real engine', () => {
  let engine: Engine;
  let image: ImageId;
  let dir: string;
  let internal: Network;
  let open: Network;
  const server = createServer((_request, response) => response.end('ok'));
  let port: number;
  let made = 0;

  beforeAll(async () => {
    engine = await connectEngine({ env: process.env });
    const base = await engine.image(BASE, never);
    if (base === undefined) throw new Error(`the engine has no image ${BASE}: npm test makes one`);
    image = base.id;
    dir = await mkdtemp(join(tmpdir(), 'skillpair-network-'));
    const name = `skillpair-network-${process.pid}`;
    internal = await engine.createNetwork({ name, internal: true, labels: LABELS }, never);
    open = await engine.createNetwork({ name: `${name}-open`, internal: false, labels: LABELS }, never);
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    for (const kind of ['container', 'network']) {
      for (const object of await engine.owned(LABELS, never))
        if (object.kind === kind) await engine.remove(object, never);
    }
    server.close();
    await rm(dir, { recursive: true });
  });

  const create = (network: string, command: readonly string[]): Promise<Container> =>
    engine.createContainer(
      {
        name: `skillpair-network-${process.pid}-${++made}`,
        image,
        command,
        env: {},
        labels: LABELS,
        cpus: 1,
        memoryBytes: 128 * 2 ** 20,
        pids: 50,
        network,
        mounts: [],
      },
      never,
    );
  const run = (container: Container, id: string) =>
    container.runMain({
      stdoutPath: join(dir, `${id}.out`),
      stderrPath: join(dir, `${id}.err`),
      timeoutMs: 60_000,
      graceMs: 100,
      signal: never,
    });
  const probe = async (network: string, ...places: readonly string[]): Promise<string[]> => {
    await using container = await create(network, ['python3', '-c', PROBE, ...places]);
    expect(await run(container, 'probe')).toMatchObject({ exitCode: 0 });
    return (await readFile(join(dir, 'probe.out'), 'utf8')).trimEnd().split('\n');
  };

  it('an internal one reaches the host at its gateway address, and an open one does', async () => {
    expect(await probe(internal.name, `${internal.gatewayAddress}:${port}`)).toEqual(['yes']);
    expect(await probe(open.name, `${open.gatewayAddress}:${port}`)).toEqual(['yes']);
  });

  it.each(['internal', 'open'] as const)(
    'keeps a container on an %s one from those on either',
    async (kind) => {
      const network = kind === 'internal' ? internal : open;
      await using neighbour = await create(network.name, ['python3', '-c', SERVE]);
      const serving = run(neighbour, kind).catch(() => undefined);
      const address = await addressPrinted(join(dir, `${kind}.out`));
      expect(await probe(internal.name, `${address}:8000`)).toEqual(['no']);
      expect(await probe(open.name, `${address}:8000`)).toEqual(['no']);
      await neighbour.remove();
      await serving;
    },
  );
});

/** Says its own address once it listens. */
const SERVE = `import socket, time
listening = socket.create_server(("0.0.0.0", 8000))
print(socket.gethostbyname(socket.gethostname()), flush=True)
time.sleep(600)`;

/** The first line of a file that is being written. */
async function addressPrinted(path: string): Promise<string> {
  return await expect
    .poll(async () => (await readFile(path, 'utf8').catch(() => '')).split('\n'), { timeout: 30_000 })
    .toHaveLength(2)
    .then(async () => (await readFile(path, 'utf8')).trim());
}
