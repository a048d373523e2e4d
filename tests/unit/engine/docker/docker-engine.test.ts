import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { packTar, readTar } from '../../../../src/engine/archive.ts';
import { connectEngine } from '../../../../src/engine/docker/connect.ts';
import type { Container, ContainerSpec, Engine } from '../../../../src/engine/engine.ts';
import { type DockerSocket, makeDockerSocket, type SocketScript } from '../../../fakes/docker-socket.ts';

const never = new AbortController().signal;
const SPEC: ContainerSpec = {
  name: 'trial-1',
  image: 'sha256:1',
  command: ['agent', '--go'],
  env: { HOME: '/home/agent', EMPTY: '', GONE: null },
  labels: { 'skillpair.trial': 't' },
  cpus: 1.5,
  memoryBytes: 2 ** 30,
  pids: 512,
  network: 'none',
  mounts: [
    { volume: 'bundle', target: '/opt/bundle', readOnly: true, noCopy: true },
    { target: '/scratch', readOnly: false, noCopy: false },
  ],
};
const created: SocketScript = ({ json }) => json({ Id: 'c1' }, 201);

async function withEngine<T>(
  scripts: Readonly<Record<string, SocketScript>>,
  use: (engine: Engine, socket: DockerSocket) => Promise<T>,
): Promise<T> {
  await using socket = await makeDockerSocket(scripts);
  return await use(await connectEngine({ env: { DOCKER_HOST: socket.address } }), socket);
}

const withContainer = <T>(
  scripts: Readonly<Record<string, SocketScript>>,
  use: (container: Container, socket: DockerSocket) => Promise<T>,
): Promise<T> =>
  withEngine({ 'POST /containers/create': created, ...scripts }, async (engine, socket) =>
    use(await engine.createContainer(SPEC, never), socket),
  );

describe('connecting', () => {
  it('lists what was tried and why each place failed', async () => {
    const promise = connectEngine({
      env: { HOME: '/nonexistent', DOCKER_HOST: 'unix:///nonexistent/engine.sock' },
    });
    await expect(promise).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(promise).rejects.toThrow(
      /unix:\/\/\/nonexistent\/engine\.sock \(DOCKER_HOST\): there is no such socket\nDOCKER_HOST is set/,
    );
  });

  it('says that nobody listens, and that an address is of a kind it cannot use', async () => {
    await expect(connectEngine({ env: { DOCKER_HOST: 'tcp://127.0.0.1:1' } })).rejects.toThrow(
      /nobody listens there/,
    );
    await expect(connectEngine({ env: { DOCKER_HOST: 'ssh://host' } })).rejects.toThrow(
      /only unix:\/\/ and tcp:\/\//,
    );
  });

  it('says which certificate is missing where TLS is asked for', async () => {
    const env = {
      DOCKER_HOST: 'tcp://127.0.0.1:1',
      DOCKER_TLS_VERIFY: '1',
      DOCKER_CERT_PATH: '/nonexistent',
    };
    await expect(connectEngine({ env })).rejects.toThrow(
      /\(DOCKER_HOST\): ENOENT: .*\/nonexistent\/(ca|cert|key)\.pem/,
    );
  });

  it('does not take an engine that answers the ping with an error', async () => {
    await using socket = await makeDockerSocket({ 'GET /_ping': ({ fail }) => fail(500, 'starting up') });
    await expect(connectEngine({ env: { DOCKER_HOST: socket.address } })).rejects.toThrow(/starting up/);
  });
});

describe('creating a container', () => {
  it('sets everything that could give it more than the spec says, and the name alone in the address', async () => {
    let sent: unknown;
    let query: unknown;
    await withContainer(
      {
        'POST /containers/create': async (answer, request) => {
          query = request.query;
          sent = JSON.parse((await request.body).toString());
          created(answer, request);
        },
      },
      async () => undefined,
    );
    expect(query).toEqual({ name: 'trial-1' });
    expect(sent).toEqual({
      Image: 'sha256:1',
      Cmd: ['agent', '--go'],
      Env: ['HOME=/home/agent', 'EMPTY=', 'GONE'],
      Labels: { 'skillpair.trial': 't' },
      Tty: false,
      OpenStdin: false,
      StdinOnce: false,
      Healthcheck: { Test: ['NONE'] },
      AttachStdin: false,
      AttachStdout: true,
      AttachStderr: true,
      HostConfig: {
        NanoCpus: 1_500_000_000,
        Memory: 1_073_741_824,
        MemorySwap: 1_073_741_824,
        PidsLimit: 512,
        Init: true,
        AutoRemove: false,
        Privileged: false,
        RestartPolicy: { Name: 'no' },
        SecurityOpt: ['no-new-privileges'],
        Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
        NetworkMode: 'none',
        LogConfig: { Type: 'none' },
        Mounts: [
          {
            Type: 'volume',
            Source: 'bundle',
            Target: '/opt/bundle',
            ReadOnly: true,
            VolumeOptions: { NoCopy: true },
          },
          { Type: 'volume', Target: '/scratch', ReadOnly: false, VolumeOptions: { NoCopy: false } },
        ],
      },
    });
  });

  it('leaves nothing behind when the caller gives up while the engine is at it', async () => {
    const abort = new AbortController();
    await withEngine(
      {
        'POST /containers/create': (answer, request) => {
          abort.abort();
          created(answer, request);
        },
        'DELETE /containers/c1': ({ json }) => json(null),
      },
      async (engine, socket) => {
        await expect(engine.createContainer(SPEC, abort.signal)).rejects.toMatchObject({ kind: 'aborted' });
        expect(socket.requests).toContain('DELETE /containers/c1');
      },
    );
  });

  it.each([
    ['removes the container whose creation was not answered', SPEC.labels, true],
    ['touches no container that only has the same name', { other: 'x' }, false],
  ])('%s', async (_what, Labels, isRemoved) => {
    await withEngine(
      {
        'POST /containers/create': ({ hangUp }) => hangUp(),
        'GET /containers/trial-1/json': ({ json }) => json({ Id: 'c9', Config: { Labels } }),
        'DELETE /containers/c9': ({ json }) => json(null),
      },
      async (engine, socket) => {
        await expect(engine.createContainer(SPEC, never)).rejects.toMatchObject({ kind: 'unreachable' });
        expect(socket.requests.includes('DELETE /containers/c9')).toBe(isRemoved);
      },
    );
  });
});

describe('a container', () => {
  const entry = {
    path: 'a',
    kind: 'file',
    mode: 0o644,
    uid: 0,
    gid: 0,
    content: Buffer.alloc(2 ** 20),
  } as const;

  it('ends the source of a put that the engine refuses before it has read it', async () => {
    await withContainer(
      {
        'PUT /containers/c1/archive': ({ fail }) =>
          fail(404, 'Could not find the file /nope in container c1'),
      },
      async (container) => {
        const source = packTar([entry, entry, entry, entry]);
        await expect(container.put(source, '/nope', never)).rejects.toMatchObject({ kind: 'not-found' });
        expect(source.destroyed).toBe(true);
      },
    );
  });

  it('rejects a put whose source has failed before it was given', async () => {
    await withContainer({}, async (container) => {
      const source = new Readable({ read: () => undefined });
      source.on('error', () => undefined);
      source.destroy(new Error('failed long ago'));
      await expect(container.put(source, '/', never)).rejects.toThrow('failed long ago');
    });
  });

  it('rejects a put when the connection breaks', async () => {
    await withContainer({ 'PUT /containers/c1/archive': ({ hangUp }) => hangUp() }, async (container) => {
      await expect(container.put(packTar([entry]), '/', never)).rejects.toMatchObject({
        kind: 'unreachable',
      });
    });
  });

  it('tells a path that is not there from a container that is not there', async () => {
    await withContainer(
      { 'GET /containers/c1/archive': ({ fail }) => fail(404, 'Could not find the file /x in container c1') },
      async (container, socket) => {
        expect(await container.get('/x', never)).toBeUndefined();
        socket.script({ 'GET /containers/c1/archive': ({ fail }) => fail(404, 'No such container: c1') });
        await expect(container.get('/x', never)).rejects.toMatchObject({ kind: 'not-found' });
      },
    );
  });

  it('fails the reading of a tar that the engine breaks off', async () => {
    const tar = await buffer(packTar([entry]));
    await withContainer(
      {
        'GET /containers/c1/archive': ({ write, hangUp }) => {
          write(tar.subarray(0, 1_000));
          setImmediate(hangUp);
        },
      },
      async (container) => {
        const stream = await container.get('/a', never);
        const reading = (async () => {
          for await (const { content } of readTar(stream as Readable)) await buffer(content);
        })();
        await expect(reading).rejects.toThrow();
        expect(stream?.errored).toMatchObject({ kind: 'unreachable', operation: 'get /a' });
      },
    );
  });

  it('fails the reading of a tar when the caller gives up', async () => {
    const abort = new AbortController();
    await withContainer({ 'GET /containers/c1/archive': ({ write }) => write('x') }, async (container) => {
      const stream = await container.get('/a', abort.signal);
      const reading = buffer(stream as Readable);
      abort.abort();
      await expect(reading).rejects.toMatchObject({ kind: 'aborted' });
    });
  });

  it('leaves out of its changes where the engine mounts its init, and the folders that changed for nothing else', async () => {
    type Change = readonly [kind: number, path: string];
    const listed =
      (...changes: readonly Change[]): SocketScript =>
      ({ json }) =>
        json(changes.map(([Kind, Path]) => ({ Kind, Path })));
    const init: Change[] = [
      [0, '/usr'],
      [0, '/usr/sbin'],
      [1, '/usr/sbin/docker-init'],
    ];
    const route = 'GET /containers/c1/changes';
    await withContainer({ [route]: listed(...init, [1, '/out']) }, async (container, socket) => {
      expect(await container.changes(never)).toEqual([{ path: '/out', kind: 'added' }]);
      socket.script({ [route]: listed(...init, [0, '/usr/bin'], [2, '/usr/bin/env']) });
      expect(await container.changes(never)).toEqual([
        { path: '/usr', kind: 'modified' },
        { path: '/usr/bin', kind: 'modified' },
        { path: '/usr/bin/env', kind: 'deleted' },
      ]);
      socket.script({ [route]: listed([0, '/usr'], [0, '/usr/sbin']) });
      expect(await container.changes(never)).toEqual([
        { path: '/usr', kind: 'modified' },
        { path: '/usr/sbin', kind: 'modified' },
      ]);
    });
  });

  it('asks once however often it is removed', async () => {
    await withContainer({ 'DELETE /containers/c1': ({ json }) => json(null) }, async (container, socket) => {
      await Promise.all([container.remove(), container.remove()]);
      await container[Symbol.asyncDispose]();
      expect(socket.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
    });
  });

  it('takes a container that is gone for removed, and waits for one that somebody else removes', async () => {
    await withContainer(
      { 'DELETE /containers/c1': ({ fail }) => fail(404, 'No such container: c1') },
      (container) => container.remove(),
    );
    const requests = await withContainer(
      {
        'DELETE /containers/c1': ({ fail }) => fail(409, 'removal of container c1 is already in progress'),
        'POST /containers/c1/wait': ({ json }) => json({ StatusCode: 0 }),
      },
      async (container, socket) => {
        await container.remove();
        return socket.requests;
      },
    );
    expect(requests.slice(-2)).toEqual(['DELETE /containers/c1', 'POST /containers/c1/wait']);
  });

  it('tries again while the engine finds its file system busy, and can be tried again after a failure', async () => {
    let goes = 0;
    await withContainer(
      {
        'DELETE /containers/c1': ({ json, fail }) => {
          goes += 1;
          if (goes === 1) fail(500, 'container c1: driver "overlay2" failed to remove root filesystem: busy');
          else if (goes === 2) fail(400, 'something else');
          else json(null);
        },
      },
      async (container) => {
        await expect(container.remove()).rejects.toThrow('something else');
        await container.remove();
        expect(goes).toBe(3);
      },
    );
  });
});

describe('an engine', () => {
  it('pulls one tag, never all of a name, and fails with the reason in the stream', async () => {
    const asked: unknown[] = [];
    await withEngine(
      {
        'POST /images/create': ({ write, end }, { query }) => {
          asked.push(query);
          write(
            '{"status":"Pulling"}\n{"errorDetail":{"message":"manifest unknown"},"error":"manifest unknown"}\n',
          );
          end();
        },
      },
      async (engine) => {
        for (const name of ['host:5000/a/b', 'debian:12', 'debian@sha256:abc']) {
          await expect(engine.pull(name, 'linux/amd64', never)).rejects.toThrow('manifest unknown');
        }
      },
    );
    expect(asked).toEqual([
      { fromImage: 'host:5000/a/b', tag: 'latest', platform: 'linux/amd64' },
      { fromImage: 'debian', tag: '12', platform: 'linux/amd64' },
      { fromImage: 'debian@sha256:abc', platform: 'linux/amd64' },
    ]);
  });

  it('rejects an answer that is not JSON', async () => {
    await withEngine(
      {
        'GET /images/x/json': ({ write, end }) => {
          write('<html>proxy</html>');
          end();
        },
      },
      async (engine) => {
        await expect(engine.image('x', never)).rejects.toMatchObject({
          kind: 'protocol',
          message: 'inspect image x: the answer is not JSON: "<html>proxy</html>"',
        });
      },
    );
  });

  it('takes the containers off a network before it removes it', async () => {
    let goes = 0;
    const disconnected: unknown[] = [];
    await withEngine(
      {
        'DELETE /networks/n1': ({ json, fail }) =>
          goes++ === 0
            ? fail(403, 'error while removing network: network n1 has active endpoints')
            : json(null),
        'GET /networks/n1': ({ json }) => json({ Containers: { c1: {} } }),
        'POST /networks/n1/disconnect': async ({ json }, { body }) => {
          disconnected.push(JSON.parse((await body).toString()));
          json(null);
        },
      },
      (engine) => engine.remove({ kind: 'network', id: 'n1' }, never),
    );
    expect(goes).toBe(2);
    expect(disconnected).toEqual([{ Container: 'c1', Force: true }]);
  });
});
