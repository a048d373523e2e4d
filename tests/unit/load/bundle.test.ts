import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collisions, loadBundle, nameFault } from '../../../src/load/bundle.ts';
import { bundleDigest } from '../../../src/load/digest.ts';
import { scratchFolder } from './support/scratch-project.ts';

const sha = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

async function put(dir: string, path: string, content = 'x'): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), content);
}

/** A path of exactly so many bytes, in parts that a file system takes. */
function pathOf(bytes: number): string {
  const folders = 'd'.repeat(60);
  let path = '';
  while (bytes - path.length > 120) path += `${folders}/`;
  return path + 'f'.repeat(bytes - path.length);
}

const complaints = async (dir: string) =>
  (await loadBundle(dir)).problems.map(
    ({ where, message }) => `${where?.file.slice(dir.length + 1)}: ${message}`,
  );

describe('a bundle is taken as it stands', () => {
  it('with run bits as 0755, all else as 0644, whatever the umask was', async () => {
    await using bundle = await scratchFolder({
      'run.sh': 'a',
      'data.csv': 'b',
      'secret.txt': 'c',
      'all.txt': 'd',
    });
    await chmod(join(bundle.dir, 'run.sh'), 0o700);
    await chmod(join(bundle.dir, 'data.csv'), 0o664);
    await chmod(join(bundle.dir, 'secret.txt'), 0o600);
    await chmod(join(bundle.dir, 'all.txt'), 0o666);
    const { entries } = await loadBundle(bundle.dir);
    expect(entries.map(({ path, mode }) => [path, mode.toString(8)])).toEqual([
      ['all.txt', '644'],
      ['data.csv', '644'],
      ['run.sh', '755'],
      ['secret.txt', '644'],
    ]);
  });

  it.each([99, 100, 101, 155, 156, 256])('with a path of %i bytes', async (bytes) => {
    await using bundle = await scratchFolder();
    const path = pathOf(bytes);
    await put(bundle.dir, path);
    const { entries, problems } = await loadBundle(bundle.dir);
    expect(problems).toEqual([]);
    expect(entries.at(-1)?.path).toBe(path);
    expect(Buffer.byteLength(entries.at(-1)?.path ?? '')).toBe(bytes);
  });

  it('with any name that Linux allows', async () => {
    await using bundle = await scratchFolder();
    const names = ['a b', "it's", 'say "x"', '🙂.md', '.hidden', 'new\nline', '-rf', '\u00e9'];
    for (const name of names) await put(bundle.dir, name);
    const { entries, problems } = await loadBundle(bundle.dir);
    expect(problems).toEqual([]);
    expect(new Set(entries.map(({ path }) => path))).toEqual(new Set(names));
  });

  it('with both normal forms of one letter as two files, and a warning', async () => {
    await using bundle = await scratchFolder({ '\u00e9.md': 'one', 'e\u0301.md': 'two' });
    const { entries, problems } = await loadBundle(bundle.dir);
    expect(entries.map(({ path, digest }) => [path, digest])).toEqual([
      ['e\u0301.md', sha('two')],
      ['\u00e9.md', sha('one')],
    ]);
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('with dotfiles, empty files and empty folders', async () => {
    await using bundle = await scratchFolder({ '.env': 'A=1', empty: '' });
    await mkdir(join(bundle.dir, 'hollow/deep'), { recursive: true });
    const { entries } = await loadBundle(bundle.dir);
    expect(entries.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['.env', 'file', 3],
      ['empty', 'file', 0],
      ['hollow', 'folder', 0],
      ['hollow/deep', 'folder', 0],
    ]);
  });

  it('with a 64 MiB file, hashed in a stream', async () => {
    await using bundle = await scratchFolder({ 'big.bin': '' });
    await truncate(join(bundle.dir, 'big.bin'), 64 * 1024 * 1024);
    const { entries } = await loadBundle(bundle.dir);
    // sha256sum of 67,108,864 zero bytes.
    expect(entries[0]?.digest).toBe(
      'sha256:3b6a07d0d404fab4e23b6d34bc6696a6a312dd92821332385e5af7c01c421351',
    );
    expect(entries[0]?.size).toBe(67_108_864);
  });

  it('with links inside it as what they lead to, also through further links', async () => {
    await using bundle = await scratchFolder({ 'ref/a.md': 'A', 'SKILL.md': 'S' });
    await symlink('ref/a.md', join(bundle.dir, 'to-file'));
    await symlink('ref', join(bundle.dir, 'to-folder'));
    await symlink('to-file', join(bundle.dir, 'to-link'));
    await symlink('../SKILL.md', join(bundle.dir, 'ref/up'));
    const { entries, problems } = await loadBundle(bundle.dir);
    expect(problems).toEqual([]);
    const files = Object.fromEntries(entries.flatMap(({ path, digest }) => (digest ? [[path, digest]] : [])));
    expect(files).toEqual({
      'SKILL.md': sha('S'),
      'ref/a.md': sha('A'),
      'ref/up': sha('S'),
      'to-file': sha('A'),
      'to-folder/a.md': sha('A'),
      'to-folder/up': sha('S'),
      'to-link': sha('A'),
    });
    expect(entries.find(({ path }) => path === 'to-folder')?.kind).toBe('folder');
  });
});

describe('a bundle is refused by name, before a target is read', () => {
  it.each([
    ['/etc/hostname', 'leads out of the Skill, to /etc/hostname'],
    ['../other-task/solution', 'leads out of the Skill, to ../other-task/solution'],
    ['..', 'leads out of the Skill, to ..'],
    ['sub/../../elsewhere', 'leads out of the Skill, to sub/../../elsewhere'],
    ['gone.md', 'leads to gone.md, which is not there'],
    ['x', 'leads to itself'],
    ['.', 'leads to a folder that holds it: it loops'],
  ])('for a link to %s', async (target, why) => {
    await using bundle = await scratchFolder({ 'sub/a.md': 'A' });
    await symlink(target, join(bundle.dir, 'x'));
    expect(await complaints(bundle.dir)).toEqual([`x: "x" the link ${why}`]);
  });

  it('for a link that escapes by way of an inner one', async () => {
    await using bundle = await scratchFolder({ 'a.md': 'A' });
    await symlink('/etc', join(bundle.dir, 'etc'));
    await symlink('etc/hostname', join(bundle.dir, 'x'));
    expect(await complaints(bundle.dir)).toEqual([
      expect.stringContaining('etc: "etc" the link leads out'),
      'x: "x" the link leads out of the Skill, to etc/hostname',
    ]);
  });

  it('for an absolute link, even back into the bundle, since the bundle will stand elsewhere', async () => {
    await using bundle = await scratchFolder({ 'a.md': 'A' });
    await symlink(join(bundle.dir, 'a.md'), join(bundle.dir, 'x'));
    expect(await complaints(bundle.dir)).toEqual([
      expect.stringContaining('x: "x" the link leads out of the Skill'),
    ]);
  });

  it('for two folders that are linked into one another', async () => {
    await using bundle = await scratchFolder({ 'a/one.md': '1', 'b/two.md': '2' });
    await symlink('../b', join(bundle.dir, 'a/to-b'));
    await symlink('../a', join(bundle.dir, 'b/to-a'));
    expect(await complaints(bundle.dir)).toEqual([
      'a/to-b/to-a: "a/to-b/to-a" the link leads to a folder that holds it: it loops',
      'b/to-a/to-b: "b/to-a/to-b" the link leads to a folder that holds it: it loops',
    ]);
  });

  it('for a FIFO and a socket, without waiting on them', async () => {
    await using bundle = await scratchFolder({ 'a.md': 'A' });
    execFileSync('mkfifo', [join(bundle.dir, 'pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(bundle.dir, 'sock'), resolve));
    const found = await complaints(bundle.dir);
    await new Promise((resolve) => server.close(resolve));
    expect(found).toEqual(['pipe: "pipe" is a FIFO, not a file', 'sock: "sock" is a socket, not a file']);
  });

  it('for a link to a FIFO inside', async () => {
    await using bundle = await scratchFolder();
    execFileSync('mkfifo', [join(bundle.dir, 'pipe')]);
    await symlink('pipe', join(bundle.dir, 'x'));
    expect(await complaints(bundle.dir)).toContain('x: "x" is a FIFO, not a file');
  });

  it('for names that no container takes', () => {
    expect(nameFault(Buffer.from('n'.repeat(255)))).toBeUndefined();
    expect(nameFault(Buffer.from('é'.repeat(128)))).toBe('has a name of 256 bytes; at most 255 are allowed');
    expect(nameFault(Buffer.from([0x66, 0xff]))).toBe('has a name that is not UTF-8');
  });

  it('for a name in Latin-1 on disk', async () => {
    await using bundle = await scratchFolder();
    await writeFile(Buffer.concat([Buffer.from(`${bundle.dir}/caf`), Buffer.from([0xe9])]), 'x');
    const { problems } = await loadBundle(bundle.dir);
    expect(problems.map(({ message }) => message)).toEqual(['"caf\uFFFD" has a name that is not UTF-8']);
  });

  it('for folders that unfold without end through links', async () => {
    await using bundle = await scratchFolder({ 'l0/a': '1', 'l0/b': '2' });
    for (let level = 1; level <= 16; level++) {
      await mkdir(join(bundle.dir, `l${level}`));
      await symlink(`../l${level - 1}`, join(bundle.dir, `l${level}/x`));
      await symlink(`../l${level - 1}`, join(bundle.dir, `l${level}/y`));
    }
    const { problems } = await loadBundle(bundle.dir);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('the Skill is too large'),
    ]);
  }, 60_000);
});

describe('the digest of a bundle', () => {
  const digestOf = async (dir: string) => bundleDigest((await loadBundle(dir)).entries);

  it('depends on paths, run bits and content alone', async () => {
    await using one = await scratchFolder({ 'SKILL.md': 'S', 'scripts/a.py': 'A', 'scripts/b.py': 'B' });
    await using two = await scratchFolder({ 'scripts/b.py': 'B', 'scripts/a.py': 'A', 'SKILL.md': 'S' });
    await utimes(join(two.dir, 'SKILL.md'), 0, 0);
    await chmod(join(two.dir, 'scripts'), 0o700);
    await chmod(join(two.dir, 'SKILL.md'), 0o600);
    expect(await digestOf(two.dir)).toBe(await digestOf(one.dir));
  });

  it('is sha256 of the canonical JSON of [path, mode, content digest], sorted by path bytes', async () => {
    await using bundle = await scratchFolder({ 'SKILL.md': 'S', 'a/b': 'B' });
    const lines = `[["SKILL.md",420,"${sha('S')}"],["a",493,null],["a/b",420,"${sha('B')}"]]`;
    expect(await digestOf(bundle.dir)).toBe(sha(lines));
  });

  it('changes with a byte, a run bit, a name, an empty folder', async () => {
    await using bundle = await scratchFolder({ 'SKILL.md': 'S', 'a.sh': 'A' });
    const seen = [await digestOf(bundle.dir)];
    await appendFile(join(bundle.dir, 'a.sh'), '\n');
    seen.push(await digestOf(bundle.dir));
    await chmod(join(bundle.dir, 'a.sh'), 0o755);
    seen.push(await digestOf(bundle.dir));
    await mkdir(join(bundle.dir, 'empty'));
    seen.push(await digestOf(bundle.dir));
    await rm(join(bundle.dir, 'empty'), { recursive: true });
    await put(bundle.dir, 'empty', '');
    seen.push(await digestOf(bundle.dir));
    expect(new Set(seen).size).toBe(5);
  });
});

it('warns of paths that are one where case does not count', () => {
  const problems = collisions([{ path: 'README.md' }, { path: 'a' }, { path: 'readme.md' }], '/skill');
  expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: "readme.md" and "README.md" differ only in case or Unicode form',
  ]);
});
