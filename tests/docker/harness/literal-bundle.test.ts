import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';
const IMAGE = 'skillpair-test/literal-bundle:1';
/** The base without any library or runtime that the bundle could borrow; a shell and its libc stay. */
const BARE = 'skillpair-test/bare:1';
const VOLUME = 'skillpair-test-literal-bundle';
const LABEL = 'skillpair-test=literal';

const build = (tag: string, folder: string) =>
  execa('docker', ['build', '-q', '--label', LABEL, '--build-arg', `BASE=${BASE}`, '-t', tag, folder]);

beforeAll(async () => {
  await build(IMAGE, new URL('../../../harnesses/literal', import.meta.url).pathname);
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-bare-'));
  await writeFile(
    join(folder, 'Dockerfile'),
    [
      'ARG BASE',
      'FROM $BASE',
      "RUN rm -rf /usr/bin/python3* /usr/lib/python3* && find / -xdev -name 'libstdc++*' -delete",
      'RUN mkdir -p /home/agent/.agents/skills/sorting /workspace',
      'RUN printf -- "---\\nname: sorting\\ndescription: Sort the lines of a text alphabetically.\\n---\\n" > /home/agent/.agents/skills/sorting/SKILL.md \\',
      ' && printf \'```sh\\nsort "$INPUT"\\nid -u\\n```\\n\' >> /home/agent/.agents/skills/sorting/SKILL.md',
      "RUN printf 'Sort the text lines alphabetically.\\n- Input: `/etc/hostname`\\n' > /instruction.md",
    ].join('\n'),
  );
  await build(BARE, folder);
  await rm(folder, { recursive: true });
  await execa('docker', ['volume', 'create', '--label', LABEL, VOLUME]);
  // Creating a container fills the volume from the image.
  const filled = await execa('docker', [
    'create',
    '--label',
    LABEL,
    '-v',
    `${VOLUME}:/opt/skillpair/harness/literal`,
    IMAGE,
  ]);
  await execa('docker', ['rm', filled.stdout]);
});

afterAll(async () => {
  await execa('docker', ['volume', 'rm', '-f', VOLUME]);
  await execa('docker', ['rmi', '-f', BARE]);
});

/** A run as a bare user id in the bare image, with the bundle as a read-only volume. */
const run = (...args: readonly string[]) =>
  execa(
    'docker',
    [
      ...[
        'run',
        '--rm',
        '--init',
        '--label',
        LABEL,
        '--network',
        'none',
        '--user',
        '1000',
        '-w',
        '/workspace',
      ],
      ...['-e', 'HOME=/home/agent', '-v', `${VOLUME}:/opt/skillpair/harness/literal:ro`, BARE],
      ...['/opt/skillpair/harness/literal/bin/literal', ...args],
    ],
    { reject: false },
  );

describe('the literal bundle as a read-only volume', () => {
  it('runs in an image without Node, Python or a C++ library, as an unprivileged user', async () => {
    const ran = await run('--version');
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, '1.0.0', '']);
  });

  it('finds a Skill in the home folder and does what it says', async () => {
    const ran = await run('/instruction.md');
    const events = ran.stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ kind }) => kind)).toEqual([
      'start',
      'skill-listed',
      'skill-opened',
      'command',
      'end',
    ]);
    expect(events[3]).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\n1000\n$/) });
    expect(ran.exitCode).toBe(0);
  });

  it('puts nothing of its own loader into the environment of commands', async () => {
    const inBareImage = async (script: string): Promise<string> => {
      const options = ['--rm', '--label', LABEL, '--network', 'none'];
      const volume = `${VOLUME}:/opt/skillpair/harness/literal:ro`;
      const command = ['/bin/sh', '-c', script];
      return (await execa('docker', ['run', ...options, '-v', volume, BARE, ...command])).stdout;
    };
    const names = (env: string): string[] =>
      [...env.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? '').sort();
    const events = await inBareImage(
      "printf '```sh\\nenv\\n```\\n' > /i.md; /opt/skillpair/harness/literal/bin/literal /i.md",
    );
    const command = events
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; stdout?: string })
      .find(({ kind }) => kind === 'command');
    // What the image itself sets (a private CA names itself in NODE_EXTRA_CA_CERTS) is the commands' own.
    expect(names(command?.stdout ?? '')).toEqual(names(await inBareImage('env')));
  });
});
