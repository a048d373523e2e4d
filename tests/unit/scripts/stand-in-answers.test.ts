import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const SYSTEM = join(import.meta.dirname, '../../../templates/stand-ins/system');
const answer = (name: string) => join(SYSTEM, 'answers', name);

/** A uv that has one Python, and says what it was called with. */
const UV = `#!/bin/sh
if [ "$1 $2" = 'python find' ]; then [ "$4" = 3.11 ]; exit; fi
printf '%s|' "$UV_PYTHON_DOWNLOADS" "\${0##*/}" "$@"
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillpair-answers-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the curl of a stand-in', () => {
  const curl = (...args: readonly string[]) =>
    execa('sh', [answer('curl'), ...args], {
      env: { STAND_IN: SYSTEM },
      stripFinalNewline: false,
      reject: false,
    });

  test.each([
    ['https://astral.sh/uv/0.9.7/install.sh', 'install-uv'],
    ['https://deb.nodesource.com/setup_20.x', 'install-node'],
  ])('answers %s with a script of its own', async (address, script) => {
    const { stdout, stderr } = await curl('-LsSf', address);
    expect(stdout).toBe(await readFile(answer(script), 'utf8'));
    expect(stderr).toContain('stand-in: ');
  });

  test.each([['-o'], ['--output'], ['-fsSLo']])('writes it to the file that %s names', async (flag) => {
    const file = join(folder, 'install.sh');
    const { stdout } = await curl('https://astral.sh/uv/install.sh', flag, file);
    expect(stdout).toBe('');
    expect(await readFile(file, 'utf8')).toBe(await readFile(answer('install-uv'), 'utf8'));
  });
});

describe('the uv and uvx of a stand-in', () => {
  beforeEach(async () => {
    await mkdir(join(folder, 'bin'));
    for (const tool of ['uv', 'uvx']) {
      await writeFile(join(folder, 'bin', tool), UV);
      await chmod(join(folder, 'bin', tool), 0o755);
    }
  });
  const uvx = async (...args: readonly string[]) => {
    const tool = join(folder, 'uvx');
    await writeFile(tool, await readFile(answer('uv-tool')));
    return execa('sh', [tool, ...args], { env: { STAND_IN: folder } });
  };

  test.each<[string, readonly string[], string]>([
    ['leaves out a Python that is not there', ['-p', '3.13', '-w', 'pytest', 'pytest'], '-w|pytest|pytest|'],
    ['leaves it out in its long form', ['--python', '3.13', 'pytest'], 'pytest|'],
    ['leaves it out with an equals sign', ['--python=3.13', 'pytest'], 'pytest|'],
    ['keeps a Python that is there', ['-p', '3.11', 'pytest'], '-p|3.11|pytest|'],
    ['keeps a plugin of pytest', ['pytest', '-p', 'no:cacheprovider'], 'pytest|-p|no:cacheprovider|'],
    ['keeps words with blanks whole', ['pytest', '-k', 'a or b', ''], 'pytest|-k|a or b||'],
  ])('%s', async (_what, args, passedOn) => {
    expect((await uvx(...args)).stdout).toBe(`never|uvx|${passedOn}`);
  });

  test('say which Python was left out', async () => {
    expect((await uvx('-p', '3.13', 'pytest')).stderr).toContain('no Python 3.13');
  });

  test('come to the home folder with a file that puts them on the path', async () => {
    const env = { STAND_IN: SYSTEM, HOME: folder };
    await execa('sh', [answer('install-uv')], { env });
    expect((await stat(join(folder, '.local/bin/uvx'))).mode & 0o777).toBe(0o755);
    const { stdout } = await execa('sh', ['-c', '. "$HOME/.local/bin/env"; command -v uv'], { env });
    expect(stdout).toBe(join(folder, '.local/bin/uv'));
  });
});
