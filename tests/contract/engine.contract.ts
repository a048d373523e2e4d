import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTar, readTar, type TarEntry } from '../../src/engine/archive.ts';
import {
  type BuildSpec,
  type Container,
  type ContainerSpec,
  type Engine,
  EngineError,
  type ImageId,
} from '../../src/engine/engine.ts';
import type { FakeExit, FakeProgram } from '../fakes/fake-container.ts';

/** An engine under the contract: `image` is a small Linux user land with `sh`. */
export interface ContractSetup {
  readonly engine: Engine;
  readonly image: ImageId;
  /** The tag of `image`, for FROM. */
  readonly base: string;
}

const WRITE_FILE = 'printf work > /tmp/result; printf out; printf err >&2; exit 42';
const SLOW = 'printf begun > /tmp/result; sleep 600';
const LOUD = 'head -c 300000 /dev/zero; exec sleep 600';
const WRITE_MUCH = 'head -c 3000000 /dev/zero > /tmp/much';
const READ_VOLUME = 'cat /opt/bundle/tool';
const ANSWER = 'read line; printf "got $line"; printf err >&2; exit 3';
const ASK_WINDOW = 'read line; test -t 0 && stty size';
const WRITE_SEALED = 'printf x > /tmp/result || printf refused';

/** What the commands of this suite do, for an engine that cannot execute them. */
export const CONTRACT_PROGRAMS: Readonly<Record<string, FakeProgram | FakeExit>> = {
  true: {},
  [`sh -c ${WRITE_FILE}`]: {
    exit: 42,
    stdout: 'out',
    stderr: 'err',
    changedFiles: { '/tmp/result': 'work' },
  },
  [`sh -c ${SLOW}`]: { durationMs: 600_000, changedFiles: { '/tmp/result': 'begun' } },
  [`sh -c ${LOUD}`]: { stdout: new Uint8Array(300_000), durationMs: 10 },
  [`sh -c ${WRITE_MUCH}`]: { changedFiles: { '/tmp/much': new Uint8Array(3_000_000) } },
  [`sh -c ${READ_VOLUME}`]: (files) => ({ stdout: files.get('/opt/bundle/tool')?.content ?? '' }),
  [`sh -c ${WRITE_SEALED}`]: (_files, { sealed }) =>
    sealed === true ? { stdout: 'refused' } : { changedFiles: { '/tmp/result': 'x' } },
  cat: (_files, { input = '' }) => ({ stdout: input }),
  [`sh -c ${ANSWER}`]: (_files, { input = '' }) => ({
    exit: 3,
    stdout: `got ${input.trimEnd()}`,
    stderr: 'err',
  }),
  [`sh -c ${ASK_WINDOW}`]: (_files, { input = '', size }) => ({
    stdout: `${input.trimEnd()}\r\n${size?.rows} ${size?.columns}\r\n`,
  }),
  'sleep 600': (_files, _spec, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({}));
    }),
};

const LABELS = { 'skillpair.test': `contract-${process.pid}` };
const never = new AbortController().signal;
let made = 0;
const uniqueName = () => `skillpair-contract-${process.pid}-${++made}`;
const aFile = (path: string, content: string, more: Partial<TarEntry> = {}): TarEntry => ({
  path,
  kind: 'file',
  mode: 0o644,
  uid: 0,
  gid: 0,
  content: Buffer.from(content),
  ...more,
});

/** What everybody above the seam may rely on, whatever engine is below it. */
export function engineContract(name: string, setUp: () => Promise<ContractSetup>): void {
  describe(`${name} keeps the engine contract`, () => {
    let setup: ContractSetup;
    let dir: string;
    beforeAll(async () => {
      setup = await setUp();
      dir = await mkdtemp(join(tmpdir(), 'skillpair-contract-'));
    });
    afterAll(async () => {
      for (const object of await setup.engine.owned(LABELS, never)) await setup.engine.remove(object, never);
      await rm(dir, { recursive: true });
    });

    const create = (more: Partial<ContainerSpec> = {}, signal = never): Promise<Container> =>
      setup.engine.createContainer(
        {
          name: uniqueName(),
          image: setup.image,
          command: ['true'],
          env: {},
          labels: LABELS,
          cpus: 1,
          memoryBytes: 128 * 2 ** 20,
          pids: 64,
          network: 'none',
          mounts: [],
          ...more,
        },
        signal,
      );
    const main = (more: { timeoutMs?: number; signal?: AbortSignal } = {}) => ({
      stdoutPath: join(dir, 'stdout'),
      stderrPath: join(dir, 'stderr'),
      timeoutMs: 60_000,
      graceMs: 200,
      signal: never,
      ...more,
    });
    const read = async (container: Container, path: string): Promise<string | undefined> => {
      const tar = await container.get(path, never);
      if (tar === undefined) return undefined;
      for await (const entry of readTar(tar)) return text(entry.content);
      return undefined;
    };
    const buildSpec = (dockerfile: string, more: Partial<BuildSpec> = {}): BuildSpec => ({
      context: () => packTar([aFile('Dockerfile', dockerfile), aFile('data.txt', 'data')]),
      dockerfile: 'Dockerfile',
      tag: `${uniqueName()}:test`,
      labels: LABELS,
      buildArgs: {},
      network: 'none',
      timeoutMs: 120_000,
      ...more,
    });
    const rejection = async (promise: Promise<unknown>): Promise<EngineError> => {
      const error: unknown = await promise.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(EngineError);
      return error as EngineError;
    };

    it('tells what it is', async () => {
      const info = await setup.engine.info(never);
      expect(info.platform).toMatch(/^linux\/\w+$/);
      expect(info.cpus).toBeGreaterThan(0);
      expect(info.memoryBytes).toBeGreaterThan(2 ** 20);
    });

    it('finds an image by its tag and by its id, and says undefined for one that is absent', async () => {
      const byTag = await setup.engine.image(setup.base, never);
      const byId = await setup.engine.image(setup.image, never);
      expect(byTag?.id).toBe(setup.image);
      expect(byId?.id).toBe(setup.image);
      expect(await setup.engine.image('skillpair-contract/absent:never', never)).toBeUndefined();
    });

    it('puts a file in place of a folder and all that is in it, and a folder over a folder without touching that', async () => {
      await using container = await create();
      const put = (...entries: readonly TarEntry[]) => container.put(packTar(entries), '/', never);
      const folder = (path: string) => ({ path, kind: 'folder', mode: 0o755, uid: 0, gid: 0 }) as const;
      await put(folder('opt/kept'), aFile('opt/kept/a', 'a'), folder('opt/wiped'), aFile('opt/wiped/b', 'b'));
      await put(folder('opt/kept'), aFile('opt/wiped', ''), folder('opt/wiped'), aFile('opt/wiped/c', 'c'));
      expect(await read(container, '/opt/kept/a')).toBe('a');
      expect(await read(container, '/opt/wiped/b')).toBeUndefined();
      expect(await read(container, '/opt/wiped/c')).toBe('c');
    });

    it('puts files into a container that was never started, and gives them back as they were', async () => {
      await using container = await create();
      const entries: TarEntry[] = [
        { path: 'in', kind: 'folder', mode: 0o750, uid: 1000, gid: 1000 },
        aFile('in/run.sh', '#!/bin/sh\n', { mode: 0o755, uid: 1000, gid: 1000 }),
        aFile('in/é ☃.txt', 'snow'),
        { path: 'in/link', kind: 'link', mode: 0o777, uid: 0, gid: 0, target: 'run.sh' },
      ];
      await container.put(packTar(entries), '/tmp', never);
      const found = new Map<string, unknown>();
      const tar = await container.get('/tmp/in', never);
      for await (const { path, kind, mode, uid, target, content } of readTar(tar as Readable)) {
        found.set(path, [kind, (mode & 0o777).toString(8), uid, target, (await buffer(content)).toString()]);
      }
      expect(Object.fromEntries(found)).toEqual({
        in: ['folder', '750', 1000, undefined, ''],
        'in/run.sh': ['file', '755', 1000, undefined, '#!/bin/sh\n'],
        'in/é ☃.txt': ['file', '644', 0, undefined, 'snow'],
        'in/link': ['link', '777', 0, 'run.sh', ''],
      });
    });

    it('takes a tar as bytes too', async () => {
      await using container = await create();
      await container.put(await buffer(packTar([aFile('bytes.txt', 'as bytes')])), '/tmp', never);
      expect(await read(container, '/tmp/bytes.txt')).toBe('as bytes');
    });

    it('says undefined for a path that is not there, and rejects where a folder to put into is missing', async () => {
      await using container = await create();
      expect(await container.get('/tmp/not-there', never)).toBeUndefined();
      const error = await rejection(container.put(packTar([aFile('a', 'b')]), '/not/there', never));
      expect(error.kind).toBe('not-found');
    });

    it('rejects a put whose source fails, with the reason of the source', async () => {
      await using container = await create();
      const vanished = packTar([
        aFile('gone', '', { content: { hostPath: join(dir, 'vanished'), size: 5 } }),
      ]);
      const error = await rejection(container.put(vanished, '/tmp', never));
      expect(error.message).toMatch(/cannot pack gone: .*ENOENT/);
    });

    it('rejects a put that is aborted, and ends its source', async () => {
      await using container = await create();
      const abort = new AbortController();
      abort.abort();
      const source = packTar([aFile('a', 'b')]);
      const error = await rejection(container.put(source, '/tmp', abort.signal));
      expect(error.kind).toBe('aborted');
      expect(source.destroyed).toBe(true);
    });

    it('runs the main process, keeps its two streams apart and reports its exit code', async () => {
      await using container = await create({ command: ['sh', '-c', WRITE_FILE] });
      const exit = await container.runMain(main());
      expect(exit).toMatchObject({ exitCode: 42, outOfMemory: false, stdoutBytes: 3, stderrBytes: 3 });
      expect(exit.endedBy).toBeUndefined();
      expect(exit.outputFault).toBeUndefined();
      expect(await readFile(join(dir, 'stdout'), 'utf8')).toBe('out');
      expect(await readFile(join(dir, 'stderr'), 'utf8')).toBe('err');
    });

    it('gives the files of a stopped container, and lists what changed', async () => {
      await using container = await create({ command: ['sh', '-c', WRITE_FILE] });
      await container.runMain(main());
      expect(await read(container, '/tmp/result')).toBe('work');
      const changes = await container.changes(never);
      expect(changes).toContainEqual({ path: '/tmp/result', kind: 'added' });
      expect(changes).toContainEqual({ path: '/tmp', kind: 'modified' });
    });

    it('ends a process at its time limit, says so, and keeps what it did before', async () => {
      await using container = await create({ command: ['sh', '-c', SLOW] });
      const exit = await container.runMain(main({ timeoutMs: 1_000 }));
      expect(exit).toMatchObject({ endedBy: 'timeout', exitCode: null });
      expect(exit.durationMs).toBeGreaterThanOrEqual(1_000);
      expect(await read(container, '/tmp/result')).toBe('begun');
    });

    it('ends a process that writes more than is kept, and keeps as much as may be', async () => {
      await using container = await create({ command: ['sh', '-c', LOUD] });
      const exit = await container.runMain({ ...main(), outputLimitBytes: 100_000 });
      expect(exit).toMatchObject({ endedBy: 'output', exitCode: null, stdoutBytes: 100_000 });
      expect(exit.outputFault).toContain('100000 bytes');
      expect((await readFile(join(dir, 'stdout'))).byteLength).toBe(100_000);
    });

    it('counts what a container has written, and nothing of its image', async () => {
      await using container = await create({ command: ['sh', '-c', WRITE_MUCH] });
      const before = (await container.writtenBytes(never)) ?? Number.NaN;
      await container.runMain(main());
      const written = ((await container.writtenBytes(never)) ?? Number.NaN) - before;
      expect(written).toBeGreaterThanOrEqual(3_000_000);
      expect(written).toBeLessThan(3_100_000);
    });

    it('ends a process on abort and resolves with what there is', async () => {
      await using container = await create({ command: ['sleep', '600'] });
      const abort = new AbortController();
      const ended = container.runMain(main({ signal: abort.signal }));
      const soon = setTimeout(() => abort.abort(), 500);
      expect(await ended).toMatchObject({ endedBy: 'abort', exitCode: null });
      clearTimeout(soon);
    });

    it('rejects for a command that cannot be executed, which is not the same as one that fails', async () => {
      await using container = await create({ command: ['no-such-program'] });
      const error = await rejection(container.runMain(main()));
      expect(error.operation).toBe('start container');
      expect(error.message).toContain('no-such-program');
    });

    /** What somebody in front of the process would see. */
    const inFront = (container: Container, input: Readable, more: { signal?: AbortSignal } = {}) => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const size = () => ({ columns: 101, rows: 37 });
      const limits = { timeoutMs: 60_000, graceMs: 200, signal: never, ...more };
      const ended = container.runTerminal({ ...limits, input, stdout, stderr, size });
      const seen = (stream: PassThrough) => String(stream.read() ?? '');
      return { ended, stdout: () => seen(stdout), stderr: () => seen(stderr) };
    };

    it('lets somebody type to a process, and keeps its two streams apart', async () => {
      await using container = await create({ command: ['sh', '-c', ANSWER], stdin: 'pipe' });
      const front = inFront(container, Readable.from([Buffer.from('42\n')]));
      expect(await front.ended).toMatchObject({ exitCode: 3, stdoutBytes: 6, stderrBytes: 3 });
      expect(front.stdout()).toBe('got 42');
      expect(front.stderr()).toBe('err');
    });

    it('ends the standard input of a process with what is sent to it', async () => {
      await using container = await create({ command: ['cat'], stdin: 'pipe' });
      const front = inFront(container, Readable.from([Buffer.from('first '), Buffer.from('last')]));
      expect(await front.ended).toMatchObject({ exitCode: 0 });
      expect(front.stdout()).toBe('first last');
    });

    it('gives a process a terminal of the size of the window before anything is typed', async () => {
      const stdin = 'terminal';
      await using container = await create({ command: ['sh', '-c', ASK_WINDOW], stdin });
      const front = inFront(container, Readable.from([Buffer.from('go\n')]));
      expect(await front.ended).toMatchObject({ exitCode: 0, stderrBytes: 0 });
      expect(front.stdout()).toBe('go\r\n37 101\r\n');
    });

    it('ends a process that somebody sits in front of on abort', async () => {
      await using container = await create({ command: ['sleep', '600'], stdin: 'pipe' });
      const abort = new AbortController();
      const front = inFront(container, Readable.from([]), { signal: abort.signal });
      const soon = setTimeout(() => abort.abort(), 500);
      expect(await front.ended).toMatchObject({ endedBy: 'abort', exitCode: null });
      clearTimeout(soon);
    });

    it('rejects at a terminal too for a command that cannot be executed', async () => {
      for (const stdin of ['pipe', 'terminal'] as const) {
        await using container = await create({ command: ['no-such-program'], stdin });
        const error = await rejection(inFront(container, Readable.from([])).ended);
        expect(error.message).toContain('no-such-program');
      }
    });

    it('refuses a second container of the same name', async () => {
      await using container = await create();
      const error = await rejection(create({ name: container.name }));
      expect(error.kind).toBe('conflict');
    });

    it('refuses a container of an image that is not there', async () => {
      const error = await rejection(create({ image: `sha256:${'0'.repeat(64)}` }));
      expect(error.kind).toBe('not-found');
    });

    it('creates nothing for a caller that has given up', async () => {
      const abort = new AbortController();
      abort.abort();
      const name = uniqueName();
      const error = await rejection(create({ name }, abort.signal));
      expect(error.kind).toBe('aborted');
      expect((await setup.engine.owned(LABELS, never)).map((object) => object.name)).not.toContain(name);
    });

    it('removes a container twice without complaint, and afterwards does not know it', async () => {
      const container = await create();
      await container.remove();
      await container.remove();
      expect((await setup.engine.owned(LABELS, never)).map(({ id }) => id)).not.toContain(container.id);
      expect((await rejection(container.get('/tmp', never))).kind).toBe('not-found');
    });

    it('commits a stopped container to an image with labels, which holds its files', async () => {
      await using container = await create({ command: ['sh', '-c', WRITE_FILE] });
      await container.runMain(main());
      const image = await container.commit({ ...LABELS, 'skillpair.kind': 'snapshot' }, never);
      expect((await setup.engine.image(image, never))?.labels).toMatchObject({
        'skillpair.kind': 'snapshot',
      });
      {
        await using second = await create({ image });
        expect(await read(second, '/tmp/result')).toBe('work');
      }
      await setup.engine.removeImage(image, never);
      expect(await setup.engine.image(image, never)).toBeUndefined();
    });

    it('exports the whole file system', async () => {
      await using container = await create();
      await container.put(packTar([aFile('exported.txt', 'x')]), '/tmp', never);
      const paths: string[] = [];
      for await (const entry of readTar(await container.export(never))) paths.push(entry.path);
      expect(paths).toContain('tmp/exported.txt');
    });

    it('builds an image from a context and gives it labels and a working directory', async () => {
      const spec = buildSpec(`FROM ${setup.base}\nWORKDIR /workspace\nCOPY data.txt /workspace/data.txt\n`);
      const id = await setup.engine.build(spec, never);
      const image = await setup.engine.image(spec.tag, never);
      expect(image).toMatchObject({ id, workingDir: '/workspace', labels: LABELS });
      await using container = await create({ image: id });
      expect(await read(container, '/workspace/data.txt')).toBe('data');
    });

    it('gives the id of an equal build again', async () => {
      const dockerfile = `FROM ${setup.base}\nCOPY data.txt /data.txt\n`;
      const first = await setup.engine.build(buildSpec(dockerfile), never);
      expect(await setup.engine.build(buildSpec(dockerfile), never)).toBe(first);
    });

    it('names the step in which a build failed', async () => {
      const error = await rejection(
        setup.engine.build(buildSpec(`FROM ${setup.base}\nWORKDIR /workspace\nRUN exit 3\n`), never),
      );
      expect(error.kind).toBe('build-failed');
      expect(error.message).toMatch(/Step 3\/\d : RUN exit 3/);
      expect(error.message).toMatch(/non-zero code: 3/);
    });

    it('rejects a build whose base image is absent', async () => {
      const error = await rejection(
        setup.engine.build(buildSpec('FROM skillpair-contract-absent.invalid/base:1\n'), never),
      );
      expect(error.kind).toBe('build-failed');
      expect(error.message).toContain('skillpair-contract-absent.invalid/base');
    });

    it('fills a named volume from the image once, and shows it read-only to others', async () => {
      const spec = buildSpec(`FROM ${setup.base}\nCOPY data.txt /opt/bundle/tool\n`);
      const bundle = await setup.engine.build(spec, never);
      const volume = uniqueName();
      expect(await setup.engine.createVolume(volume, LABELS, never)).toBe(true);
      expect(await setup.engine.createVolume(volume, LABELS, never)).toBe(false);
      const mount = { volume, target: '/opt/bundle', readOnly: true, noCopy: false };
      {
        await using _filler = await create({ image: bundle, mounts: [{ ...mount, readOnly: false }] });
      }
      await using user = await create({
        command: ['sh', '-c', READ_VOLUME],
        mounts: [{ ...mount, noCopy: true }],
      });
      expect(await read(user, '/opt/bundle/tool')).toBe('data');
      await rejection(user.put(packTar([aFile('tool', 'changed')]), '/opt/bundle', never));
      await user.runMain(main());
      expect(await readFile(join(dir, 'stdout'), 'utf8')).toBe('data');
    });

    it('lists what carries all the labels and nothing else, and refuses to list everything', async () => {
      const labels = { ...LABELS, 'skillpair.kind': 'listed' };
      await using container = await create({ labels });
      await using _other = await create();
      const owned = await setup.engine.owned({ ...LABELS, 'skillpair.kind': 'listed' }, never);
      expect(owned).toMatchObject([{ kind: 'container', id: container.id, name: container.name, labels }]);
      const anyKind = await setup.engine.owned({ ...LABELS, 'skillpair.kind': '' }, never);
      expect(anyKind.map(({ id }) => id)).toContain(container.id);
      await rejection(setup.engine.owned({}, never));
    });

    it('lets a sealed container write nothing', async () => {
      for (const [sealed, written] of [
        [true, undefined],
        [false, 'x'],
      ] as const) {
        await using container = await create({ command: ['sh', '-c', WRITE_SEALED], sealed });
        await container.runMain(main());
        expect(await readFile(join(dir, 'stdout'), 'utf8')).toBe(sealed ? 'refused' : '');
        expect(await read(container, '/tmp/result')).toBe(written);
      }
    });

    it('makes a network that is owned by its labels, and refuses a second one of its name', async () => {
      const spec = { name: uniqueName(), internal: true, labels: LABELS };
      const network = await setup.engine.createNetwork(spec, never);
      try {
        expect(network.name).toBe(spec.name);
        expect(network.gatewayAddress).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
        const owned = await setup.engine.owned(LABELS, never);
        expect(owned.filter(({ kind }) => kind === 'network')).toMatchObject([
          { id: network.id, name: spec.name, labels: LABELS },
        ]);
        expect((await rejection(setup.engine.createNetwork(spec, never))).kind).toBe('conflict');
      } finally {
        await setup.engine.remove({ kind: 'network', id: network.id }, never);
      }
      const left = await setup.engine.owned(LABELS, never);
      expect(left.filter(({ kind }) => kind === 'network')).toEqual([]);
    });

    it('makes no network once it is stopped', async () => {
      const spec = { name: uniqueName(), internal: false, labels: LABELS };
      const error = await rejection(setup.engine.createNetwork(spec, AbortSignal.abort()));
      expect(error.kind).toBe('aborted');
      const left = await setup.engine.owned(LABELS, never);
      expect(left.filter(({ kind }) => kind === 'network')).toEqual([]);
    });

    it('removes owned objects of every kind, absent ones too', async () => {
      const volume = uniqueName();
      await setup.engine.createVolume(volume, LABELS, never);
      const container = await create();
      for (const object of [
        { kind: 'container', id: container.id },
        { kind: 'container', id: 'f'.repeat(64) },
        { kind: 'volume', id: volume },
        { kind: 'volume', id: `${volume}-absent` },
        { kind: 'image', id: 'skillpair-contract/absent:never' },
        { kind: 'network', id: 'skillpair-contract-absent' },
      ] as const) {
        await setup.engine.remove(object, never);
      }
      const left = (await setup.engine.owned(LABELS, never)).map(({ id }) => id);
      expect(left).not.toContain(volume);
      expect(left).not.toContain(container.id);
    });
  });
}
