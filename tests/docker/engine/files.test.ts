import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packTar, readTar, type TarEntry } from '../../../src/engine/archive.ts';
import { connectEngine } from '../../../src/engine/docker/connect.ts';
import type { Container, ContainerSpec, Engine, ImageId } from '../../../src/engine/engine.ts';
import { baseImage } from './base-image.ts';

const LABELS = { 'skillpair.test': `files-${process.pid}` };
const AGENT = { uid: 1000, gid: 1000 };
const never = new AbortController().signal;
const LARGE = 64 * 2 ** 20;

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const longPath = (bytes: number) =>
  `${'d'.repeat(60)}/${'e'.repeat(60)}/`
    .repeat(4)
    .slice(0, bytes - 8)
    .concat('/end.txt')
    .slice(-bytes);

describe('files of a bundle', () => {
  let engine: Engine;
  let image: ImageId;
  let dir: string;
  beforeAll(async () => {
    engine = await connectEngine({ env: process.env });
    image = (await baseImage(engine)).id;
    dir = await mkdtemp(join(tmpdir(), 'skillpair-files-'));
    await writeFile(join(dir, 'large'), '');
    await truncate(join(dir, 'large'), LARGE);
  });
  afterAll(async () => {
    for (const object of await engine.owned(LABELS, never)) await engine.remove(object, never);
    await rm(dir, { recursive: true });
  });

  const spec = (
    command: readonly string[],
    name: string,
    more: Partial<ContainerSpec> = {},
  ): ContainerSpec => ({
    name: `skillpair-files-${process.pid}-${name}`,
    image,
    command,
    env: { LC_ALL: 'C' },
    labels: LABELS,
    cpus: 2,
    memoryBytes: 512 * 2 ** 20,
    pids: 100,
    network: 'none',
    mounts: [],
    ...more,
  });
  const output = async (container: Container): Promise<string> => {
    const [stdoutPath, stderrPath] = [join(dir, 'stdout'), join(dir, 'stderr')];
    const exit = await container.runMain({
      stdoutPath,
      stderrPath,
      timeoutMs: 60_000,
      graceMs: 100,
      signal: never,
    });
    expect(exit, await readFile(stderrPath, 'utf8')).toMatchObject({ exitCode: 0 });
    return readFile(stdoutPath, 'utf8');
  };

  const plain = (path: string, content: string, mode = 0o644): TarEntry => ({
    path,
    kind: 'file',
    mode,
    ...AGENT,
    content: Buffer.from(content),
  });
  const folder = (path: string): TarEntry => ({ path, kind: 'folder', mode: 0o755, ...AGENT });
  const texts: readonly (readonly [string, string, number])[] = [
    ['SKILL.md', '---\nname: fidelity\n---\n', 0o644],
    ['run.sh', '#!/bin/sh\n', 0o755],
    ['a b.txt', 'blank', 0o644],
    [`it's "so".txt`, 'quotes', 0o644],
    ['caf\u00e9.txt', 'composed', 0o644],
    ['cafe\u0301.txt', 'decomposed', 0o644],
    ['\u{1f680}.md', 'emoji', 0o644],
    ['.hidden', 'dot', 0o600],
    ['empty.txt', '', 0o644],
    ...[99, 100, 101, 155, 156, 256].map((bytes) => [longPath(bytes), `${bytes}`, 0o644] as const),
  ];

  it('arrive with path, mode, owner and content, and go back so', async () => {
    await using container = await engine.createContainer(
      spec(
        [
          'bash',
          '-c',
          'cd /opt/fidelity && find . -type f -printf "%P\\t%m\\t%U:%G\\t%T@\\n" -exec sha256sum {} \\;',
        ],
        'copy',
      ),
      never,
    );
    const large: TarEntry = {
      ...plain('large.bin', ''),
      content: { hostPath: join(dir, 'large'), size: LARGE },
    };
    const entries = [
      folder('.'),
      folder('empty folder'),
      ...texts.map(([path, content, mode]) => plain(path, content, mode)),
      large,
    ];
    await container.put(packTar([folder('fidelity')]), '/opt', never);
    await container.put(packTar(entries), '/opt/fidelity', never);
    const listed = await output(container);
    for (const [path, content, mode] of texts) {
      expect(listed).toContain(`${path}\t${mode.toString(8)}\t1000:1000\t0.0000000000\n`);
      expect(listed).toContain(sha256(content));
    }
    // head -c 67108864 /dev/zero | sha256sum
    expect(listed).toContain('3b6a07d0d404fab4e23b6d34bc6696a6a312dd92821332385e5af7c01c421351');
    const back = new Map<string, string>();
    for await (const { path, kind, mode, uid, gid, content } of readTar(
      (await container.get('/opt/fidelity', never))!,
    )) {
      const hash = createHash('sha256');
      for await (const chunk of content) hash.update(chunk as Uint8Array);
      if (kind === 'file')
        back.set(
          path.replace(/^fidelity\//, ''),
          `${(mode & 0o777).toString(8)} ${uid}:${gid} ${hash.digest('hex')}`,
        );
    }
    const wanted = texts.map(
      ([path, content, mode]) => [path, `${mode.toString(8)} 1000:1000 ${sha256(content)}`] as const,
    );
    back.delete('large.bin');
    expect(back).toEqual(new Map(wanted));
  });

  it('leave their user able to make a file beside them', async () => {
    await using container = await engine.createContainer(
      spec(['sh', '-c', 'touch /opt/skills/beside && ls /opt/skills'], 'beside', { user: '1000:1000' }),
      never,
    );
    await container.put(packTar([folder('skills'), plain('skills/SKILL.md', 'x')]), '/opt', never);
    expect(await output(container)).toBe('SKILL.md\nbeside\n');
  });

  it('change nothing in the listing of changes but themselves', async () => {
    await using container = await engine.createContainer(spec(['true'], 'changes'), never);
    await container.put(packTar([plain('added.txt', 'x')]), '/opt', never);
    await output(container);
    expect((await container.changes(never)).filter(({ kind }) => kind !== 'modified')).toEqual([
      { path: '/opt/added.txt', kind: 'added' },
    ]);
  });

  it('are given as a link where a link is asked for, never as what it points to', async () => {
    await using container = await engine.createContainer(spec(['true'], 'link'), never);
    const link: TarEntry = { path: 'out', kind: 'link', mode: 0o777, ...AGENT, target: '/etc/passwd' };
    await container.put(packTar([link]), '/opt', never);
    const seen: unknown[] = [];
    for await (const { path, kind, target, content } of readTar((await container.get('/opt/out', never))!)) {
      content.resume();
      seen.push([path, kind, target]);
    }
    expect(seen).toEqual([['out', 'link', '/etc/passwd']]);
  });
});
