import { describe, expect, it } from 'vitest';
import { packTar } from '../../../../src/engine/archive.ts';
import { connectEngine } from '../../../../src/engine/docker/connect.ts';
import type { BuildSpec } from '../../../../src/engine/engine.ts';
import { makeDockerSocket, type SocketScript } from '../../../fakes/docker-socket.ts';

const ID = `sha256:${'a'.repeat(64)}`;
const never = new AbortController().signal;

const spec = (more: Partial<BuildSpec> = {}): BuildSpec => ({
  context: () =>
    packTar([
      { path: 'Dockerfile', kind: 'file', mode: 0o644, uid: 0, gid: 0, content: Buffer.from('FROM base\n') },
    ]),
  dockerfile: 'Dockerfile',
  tag: 'skillpair/task:1',
  labels: { 'skillpair.managed': '1' },
  buildArgs: { VERSION: '1' },
  timeoutMs: 60_000,
  ...more,
});

const image: SocketScript = ({ json }) =>
  json({
    Id: ID,
    RepoTags: [],
    Os: 'linux',
    Architecture: 'amd64',
    Size: 1,
    RootFS: { Layers: ['a'] },
    Config: {},
  });

/** Answers a build, once its context has come, with the items one a line. */
const items =
  (...lines: readonly unknown[]): SocketScript =>
  async ({ write, end }, { body }) => {
    await body;
    for (const line of lines) write(typeof line === 'string' ? line : `${JSON.stringify(line)}\r\n`);
    end();
  };

async function build(script: SocketScript, more: Partial<BuildSpec> = {}, signal = never) {
  await using socket = await makeDockerSocket({
    'POST /build': script,
    'GET /images/skillpair/task:1/json': image,
  });
  const engine = await connectEngine({ env: { DOCKER_HOST: socket.address } });
  return await engine.build(spec(more), signal);
}

const STEPS = [
  { stream: 'Step 1/2 : FROM base\n' },
  { stream: 'Step 2/2 : RUN make\n' },
  { stream: 'cc x.c\n' },
];

describe('a build', () => {
  it('sends what it was told and returns the id that tag and stream agree on', async () => {
    const lines: string[] = [];
    let query: Readonly<Record<string, string>> = {};
    const id = await build(
      async (answer, request) => {
        query = request.query;
        await items({ stream: 'Step 1/1 : FROM base\n' }, { aux: { ID } })(answer, request);
      },
      { onOutput: (text) => lines.push(text), network: 'none', platform: 'linux/amd64' },
    );
    expect(id).toBe(ID);
    expect(lines).toContain('Step 1/1 : FROM base\n');
    expect(query).toEqual({
      t: 'skillpair/task:1',
      dockerfile: 'Dockerfile',
      labels: '{"skillpair.managed":"1"}',
      buildargs: '{"VERSION":"1"}',
      platform: 'linux/amd64',
      networkmode: 'none',
      rm: 'true',
      forcerm: 'true',
    });
  });

  it('fails with the step and the reason that stand in the stream', async () => {
    const error = "The command '/bin/sh -c make' returned a non-zero code: 2";
    const promise = build(items(...STEPS, { errorDetail: { code: 2, message: error }, error }));
    await expect(promise).rejects.toMatchObject({
      kind: 'build-failed',
      message: `build skillpair/task:1: Step 2/2 : RUN make: ${error}\nLast output of the step:\n  cc x.c`,
    });
  });

  it.each([
    ['in its reason', [{ error: 'write /var/lib/docker/overlay2/x: no space left on device' }]],
    [
      'in the output of the step',
      [
        { stream: 'cp: error writing x: No space left on device\n' },
        { error: 'returned a non-zero code: 1' },
      ],
    ],
  ])('tells a full disk apart when the engine speaks of it %s', async (_where, more) => {
    await expect(build(items(...STEPS, ...more))).rejects.toMatchObject({ kind: 'no-space' });
  });

  it('tells an image for another machine apart', async () => {
    const error =
      'image with reference base was found but does not match the specified platform: wanted linux/arm64';
    await expect(build(items({ error }))).rejects.toMatchObject({ kind: 'platform' });
  });

  it('fails when the stream ends without a result', async () => {
    await expect(build(items(...STEPS))).rejects.toMatchObject({
      kind: 'protocol',
      message: expect.stringMatching(
        /Step 2\/2 : RUN make: the engine ended the build without a result/,
      ) as string,
    });
  });

  it('fails when the last line is torn', async () => {
    await expect(build(items(...STEPS, '{"stream":"Successfully bu'))).rejects.toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('torn') as string,
    });
  });

  it('fails when the connection breaks in the middle', async () => {
    const promise = build(async ({ write, hangUp }, { body }) => {
      await body;
      write(`${JSON.stringify({ aux: { ID } })}\n`);
      setImmediate(hangUp);
    });
    await expect(promise).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('fails when the tag names another image than the stream', async () => {
    await expect(build(items({ aux: { ID: `sha256:${'b'.repeat(64)}` } }))).rejects.toMatchObject({
      kind: 'protocol',
      message: expect.stringMatching(/the tag names sha256:a+, the build made sha256:b+/) as string,
    });
  });

  it('fails with the engine reason when the engine refuses the Dockerfile', async () => {
    const promise = build(async ({ fail }, { body }) => {
      await body;
      fail(400, 'dockerfile parse error line 1: unknown instruction: FRM');
    });
    await expect(promise).rejects.toMatchObject({
      kind: 'build-failed',
      message: 'build skillpair/task:1: dockerfile parse error line 1: unknown instruction: FRM',
    });
  });

  it('fails as a build, with the step, when its time is up', async () => {
    const promise = build(
      async ({ write }, { body }) => {
        await body;
        write(STEPS.map((item) => JSON.stringify(item)).join('\n'));
        write('\n');
      },
      { timeoutMs: 300 },
    );
    await expect(promise).rejects.toMatchObject({
      kind: 'build-timeout',
      message: expect.stringMatching(/Step 2\/2 : RUN make: not finished within its 0.3 s/) as string,
    });
  });

  it('stops on request', async () => {
    const abort = new AbortController();
    const promise = build(() => abort.abort(), {}, abort.signal);
    await expect(promise).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('fails with the reason of the context when that cannot be read', async () => {
    const content = { hostPath: '/nonexistent/Dockerfile', size: 10 };
    const context = () =>
      packTar([{ path: 'Dockerfile', kind: 'file', mode: 0o644, uid: 0, gid: 0, content }]);
    const promise = build(() => undefined, { context });
    await expect(promise).rejects.toThrow(/cannot pack Dockerfile: ENOENT/);
  });
});
