import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { ImportManifest } from '../../../../src/model/import-manifest.ts';
import { program } from '../../../support/run-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Nothing answers there. */
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/docker.sock', PATH: process.env.PATH ?? '' };
const TOML =
  'version = "1.0"\n[metadata]\ndifficulty = "easy"\n[agent]\ntimeout_sec = 900.0\n[environment]\n';
const HASH = 'a'.repeat(64);
const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${HASH}\nsize 4081\n`;

const TASK = {
  'task.toml': TOML,
  'instruction.md': 'Write 1.5 to /root/mean.txt.\n',
  'environment/Dockerfile': 'FROM debian:12\nCOPY data.csv /data.csv\n',
  'environment/data.csv': 'a,b\r\n1,2\r\n',
  'solution/solve.sh': 'echo 1.5 > /root/mean.txt\n',
  'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
};

async function write(root: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function git(cwd: string, ...words: readonly string[]): Promise<string> {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'core.autocrlf=false'];
  const { stdout } = await execa('git', [...who, ...words], { cwd });
  return stdout;
}

/** A repository with tasks at `tasks/`, committed. */
async function repository(root: string, tasks: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  await mkdir(root, { recursive: true });
  await git(root, 'init', '--quiet', '--initial-branch=main');
  for (const [name, files] of Object.entries(tasks)) await write(join(root, 'tasks', name), files);
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--message=tasks');
}

async function manifestOf(dir: string): Promise<ImportManifest> {
  return ImportManifest.parse(JSON.parse(await readFile(join(dir, 'skillpair-import.json'), 'utf8')));
}

/** The tasks of the JSON output, by their id. */
function rows(stdout: string) {
  const { tasks } = JSON.parse(stdout) as { tasks: { id: string; outcome: string; reasons: string[] }[] };
  return Object.fromEntries(tasks.map((task) => [task.id, task]));
}

describe('from a folder', () => {
  test('bytes and run bits come in, notes and histories stay behind, and the manifest has every file', async () => {
    await using folder = await temporaryFolder();
    const from = join(folder.path, 'from', 'one');
    await write(from, {
      ...TASK,
      'README.md': 'x',
      'scratch/a': 'x',
      LICENSE: 'MIT',
      'environment/.git/HEAD': 'x',
    });
    await chmod(join(from, 'solution/solve.sh'), 0o744);
    await mkdir(join(from, 'environment/empty'));
    await symlink('data.csv', join(from, 'environment/same.csv'));
    const { exitCode, stdout, stderr } = await program(
      ['task', 'import', 'from/one'],
      folder.path,
      NO_ENGINE,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^one +imported +7 +\d+ KiB +runnable$/m);
    expect(stderr).toContain('one: left out, no part of the task: README.md, environment/.git, scratch\n');
    const to = join(folder.path, 'tasks/one');
    expect(await readFile(join(to, 'environment/data.csv'), 'utf8')).toBe('a,b\r\n1,2\r\n');
    expect((await stat(join(to, 'solution/solve.sh'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(to, 'tests/test.sh'))).mode & 0o777).toBe(0o644);
    expect(await readlink(join(to, 'environment/same.csv'))).toBe('data.csv');
    expect((await readdir(join(to, 'environment'))).toSorted()).toEqual([
      'Dockerfile',
      'data.csv',
      'empty',
      'same.csv',
    ]);
    const manifest = await manifestOf(to);
    expect(manifest.source).toEqual({ kind: 'folder', path: 'from/one' });
    expect(manifest.files.map(({ path }) => path)).toEqual([
      'LICENSE',
      'environment/Dockerfile',
      'environment/data.csv',
      'environment/same.csv',
      'instruction.md',
      'solution/solve.sh',
      'task.toml',
      'tests/test.sh',
    ]);
    // sha256sum of "a,b\r\n1,2\r\n"
    expect(manifest.files[2]).toEqual({
      path: 'environment/data.csv',
      kind: 'file',
      size: 10,
      digest: 'sha256:ea14f99c47575613ab22111122c847728c61007f6bfd7b062d02fcb99df3feb0',
    });
    expect(manifest.files[5]).toMatchObject({ executable: true });
  });

  test('with --all-files the notes come in too, and never a history', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from/one'), { ...TASK, 'README.md': 'x', '.git/HEAD': 'x' });
    await program(['task', 'import', 'from', '--all-files'], folder.path, NO_ENGINE);
    expect(await readdir(join(folder.path, 'tasks/one'))).toContain('README.md');
    expect(await readdir(join(folder.path, 'tasks/one'))).not.toContain('.git');
  });

  test('a task with a link out of it is refused, the others come in, and nothing half done is left', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from'), { 'secret.txt': 'x' });
    for (const name of ['good', 'bad', 'worse']) await write(join(folder.path, 'from', name), TASK);
    await symlink('../../secret.txt', join(folder.path, 'from/bad/environment/link'));
    await symlink('/etc/hostname', join(folder.path, 'from/worse/tests/link'));
    await write(join(folder.path, 'elsewhere/hidden'), TASK);
    await symlink('../elsewhere/hidden', join(folder.path, 'from/hidden'));
    const { exitCode, stdout } = await program(['task', 'import', 'from', '--json'], folder.path, NO_ENGINE);
    expect(exitCode).toBe(1);
    expect(rows(stdout)).toMatchObject({
      good: { outcome: 'imported' },
      bad: { reasons: ['"environment/link" is a link out of the task, to ../../secret.txt'] },
      worse: { reasons: ['"tests/link" is a link out of the task, to /etc/hostname'] },
      hidden: { reasons: ['the folder is a link that leads out of the source'] },
    });
    expect(await readdir(join(folder.path, 'tasks'))).toEqual(['good']);
  });

  test('what is there already stays, unless it is to be replaced; the source itself never is', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from/one'), TASK);
    await write(join(folder.path, 'tasks/one'), { 'mine.txt': 'x' });
    const kept = await program(['task', 'import', 'from'], folder.path, NO_ENGINE);
    expect(kept.exitCode).toBe(1);
    expect(kept.stderr).toContain('replace it with --replace');
    expect(await readdir(join(folder.path, 'tasks/one'))).toEqual(['mine.txt']);
    const replaced = await program(['task', 'import', 'from', '--replace'], folder.path, NO_ENGINE);
    expect(replaced.exitCode).toBe(0);
    expect(await readdir(join(folder.path, 'tasks/one'))).not.toContain('mine.txt');
    expect(await readdir(join(folder.path, 'tasks'))).toEqual(['one']);
    const itself = await program(['task', 'import', 'tasks', '--replace'], folder.path, NO_ENGINE);
    expect([itself.exitCode, itself.stdout.includes('this is the folder to import from')]).toEqual([1, true]);
  });

  test('a dry run copies nothing and says the same', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from/one'), { ...TASK, 'environment/data.csv': LFS });
    const argv = ['task', 'import', 'from', '--dry-run', '--json'];
    const { exitCode, stdout } = await program(argv, folder.path, NO_ENGINE);
    expect(exitCode).toBe(0);
    expect(rows(stdout)).toMatchObject({
      one: { outcome: 'would-import', absent: ['environment/data.csv'], state: { kind: 'runnable' } },
    });
    expect(await readdir(folder.path)).toEqual(['from']);
  });

  test('--only chooses by id and by pattern, and tells the nearest of a name that is not there', async () => {
    await using folder = await temporaryFolder();
    for (const name of ['a-one', 'a-two', 'b-one']) await write(join(folder.path, 'from', name), TASK);
    const argv = ['task', 'import', 'from', '--only'];
    const wrong = await program([...argv, 'b-ome'], folder.path, NO_ENGINE);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean "b-one"?')]);
    await program([...argv, 'a-*,b-one'], folder.path, NO_ENGINE);
    expect(await readdir(join(folder.path, 'tasks'))).toEqual(['a-one', 'a-two', 'b-one']);
  });

  test('a Skill of the library that a native task names comes in with it', async () => {
    await using folder = await temporaryFolder();
    const yaml =
      'schemaVersion: 1\ntitle: T\ndomain: natural-science\ncapability: c\ndifficulty: core\nskills: [averages]\nverifier: {outputs: [/workspace/out]}\n';
    await write(join(folder.path, 'there/tasks/one'), {
      'task.yaml': yaml,
      'instruction.md': 'Write it.\n',
      'environment/Dockerfile': 'FROM skillpair/base:1\n',
      'tests/test_it.py': 'def test_it():\n    assert open("/workspace/out/x").read()\n',
    });
    await write(join(folder.path, 'there/skills/averages'), {
      'SKILL.md': '---\nname: averages\ndescription: Averages.\n---\nMind gaps.\n',
    });
    const { stdout } = await program(['task', 'import', 'there/tasks', '--json'], folder.path, NO_ENGINE);
    expect(rows(stdout)).toMatchObject({ one: { outcome: 'imported', reasons: [] } });
    const skill = join(folder.path, 'tasks/one/skills/averages/SKILL.md');
    expect(await readFile(skill, 'utf8')).toContain('Mind gaps.');
  });

  test('a folder whose name is no task id is imported under the nearest one', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from/setup 3.11'), TASK);
    const { exitCode, stderr } = await program(['task', 'import', 'from'], folder.path, NO_ENGINE);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('the task is called "setup-3.11" here');
    expect((await manifestOf(join(folder.path, 'tasks/setup-3.11'))).source).toEqual({
      kind: 'folder',
      path: 'from/setup 3.11',
    });
  });

  test('what a killed import had begun is removed, and a task that it was replacing is put back', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from/one'), TASK);
    // No process has this number on Linux, whose largest is 4194304.
    await write(join(folder.path, 'tasks/.import-4194305-0a1b2c3d'), { half: 'x' });
    await write(join(folder.path, 'tasks/.import-4194305-old-two'), TASK);
    await program(['task', 'import', 'from'], folder.path, NO_ENGINE);
    expect((await readdir(join(folder.path, 'tasks'))).toSorted()).toEqual(['one', 'two']);
  });
});

describe('from a repository', () => {
  test('the files of a branch come in as git keeps them, with commit and folder in the manifest', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'benchmark');
    await repository(root, { one: { ...TASK, '.gitattributes': '*.csv text eol=lf\n' } });
    await git(root, 'update-index', '--chmod=+x', 'tasks/one/solution/solve.sh');
    await git(root, 'commit', '--quiet', '--message=bit');
    const commit = await git(root, 'rev-parse', 'HEAD');
    await git(root, 'branch', 'old');
    await writeFile(join(root, 'tasks/one/instruction.md'), 'Something else.\n');
    await git(root, 'commit', '--all', '--quiet', '--message=later');
    const source = `file://${root}#old:tasks`;
    const { exitCode } = await program(['task', 'import', source], folder.path, NO_ENGINE);
    expect(exitCode).toBe(0);
    const to = join(folder.path, 'tasks/one');
    expect(await readFile(join(to, 'instruction.md'), 'utf8')).toBe(TASK['instruction.md']);
    expect((await stat(join(to, 'solution/solve.sh'))).mode & 0o777).toBe(0o755);
    const wanted = { kind: 'git', repository: `file://${root}`, ref: 'old', commit, folder: 'tasks/one' };
    expect((await manifestOf(to)).source).toEqual(wanted);
    const local = await program(
      ['task', 'import', 'benchmark#old:tasks', '--replace'],
      folder.path,
      NO_ENGINE,
    );
    expect(local.exitCode).toBe(0);
    expect((await manifestOf(to)).source).toMatchObject({ commit, folder: 'tasks/one' });
  });

  test('no hook of the machine or of the repository is run, and no file leaves the folder of the import', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'benchmark');
    await repository(root, { one: TASK });
    await write(folder.path, { 'hooks/reference-transaction': `#!/bin/sh\ntouch ${folder.path}/hooked\n` });
    await chmod(join(folder.path, 'hooks/reference-transaction'), 0o755);
    await write(folder.path, { gitconfig: `[core]\n\thooksPath = ${folder.path}/hooks\n` });
    const env = { ...NO_ENGINE, GIT_CONFIG_GLOBAL: join(folder.path, 'gitconfig'), GIT_DIR: '/nowhere' };
    const { exitCode } = await program(['task', 'import', `file://${root}#:tasks`], folder.path, env);
    expect(exitCode).toBe(0);
    await expect(lstat(join(folder.path, 'hooked'))).rejects.toThrow('ENOENT');
  });

  test('a tree that hides a file behind a link out of the folder writes nothing there', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'benchmark');
    await repository(root, { one: TASK });
    const target = await execa('git', ['hash-object', '-w', '--stdin'], { cwd: root, input: '../../../out' });
    await git(
      root,
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${target.stdout},tasks/one/environment/up`,
    );
    await git(root, 'commit', '--quiet', '--message=link');
    const { exitCode, stdout } = await program(
      ['task', 'import', 'benchmark#:tasks'],
      folder.path,
      NO_ENGINE,
    );
    expect(exitCode).toBe(1);
    expect(stdout).toContain('"environment/up" is a link out of the task, to ../../../out');
  });

  test('a file that the repository has no content for is told by name, and checked once it is there', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'benchmark');
    await repository(root, { one: { ...TASK, 'environment/model.bin': LFS } });
    const object = await git(root, 'rev-parse', 'HEAD:tasks/one/environment/data.csv');
    await rm(join(root, '.git/objects', object.slice(0, 2), object.slice(2)));
    const { exitCode, stderr } = await program(
      ['task', 'import', 'benchmark#:tasks'],
      folder.path,
      NO_ENGINE,
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('one: without content: environment/data.csv, environment/model.bin\n');
    const to = join(folder.path, 'tasks/one');
    const { files } = await manifestOf(to);
    expect(files.filter(({ absent }) => absent !== undefined)).toEqual([
      { path: 'environment/data.csv', kind: 'file', absent: 'git-object', object },
      {
        path: 'environment/model.bin',
        kind: 'file',
        absent: 'lfs-pointer',
        size: 4081,
        digest: `sha256:${HASH}`,
      },
    ]);
    const check = () => program(['task', 'check', 'tasks', '--json'], folder.path, NO_ENGINE);
    expect((await check()).stdout).toContain(`(object ${object})`);
    await writeFile(join(to, 'environment/data.csv'), TASK['environment/data.csv']);
    expect((await check()).stdout).not.toContain(object);
  });

  test.each([
    ['benchmark#nothing:tasks', 'git could not find nothing'],
    ['benchmark#main', 'name a folder of tasks behind the ref: #:tasks'],
    ['benchmark#:tasks/../..', 'leads out of the repository'],
    ['benchmark#--upload-pack=x:tasks', 'a name does not begin with "-"'],
    ['nowhere#main', 'there is no folder nowhere'],
  ])('%s is refused with what to do', async (source, says) => {
    await using folder = await temporaryFolder();
    await repository(join(folder.path, 'benchmark'), { one: TASK });
    const { exitCode, stderr } = await program(['task', 'import', source], folder.path, NO_ENGINE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });

  test('a password in an address is neither printed nor kept', async () => {
    await using folder = await temporaryFolder();
    const source = 'http://me:hunter2@127.0.0.1:1/benchmark.git#:tasks';
    const { exitCode, stderr } = await program(['task', 'import', source], folder.path, NO_ENGINE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('fetching http://127.0.0.1:1/benchmark.git\n');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('task check of an imported task', () => {
  test('names what is missing, changed and added since, and nothing of a task as it came in', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'from/one'), { ...TASK, 'tests/truth.txt': '1.5\n' });
    await chmod(join(folder.path, 'from/one/tests/test.sh'), 0o755);
    await program(['task', 'import', 'from'], folder.path, NO_ENGINE);
    const check = () => program(['task', 'check', 'tasks/one'], folder.path, NO_ENGINE);
    expect((await check()).stdout).toBe('');
    const to = join(folder.path, 'tasks/one');
    await writeFile(join(to, 'environment/data.csv'), 'a,b\n1,3\n');
    await rm(join(to, 'tests/truth.txt'));
    await writeFile(join(to, 'tests/helper.py'), 'x = 1\n');
    await chmod(join(to, 'tests/test.sh'), 0o644);
    const { exitCode, stdout } = await check();
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => /: (.*?) \[/.exec(line)?.[1] ?? '')).toEqual([
      'environment/data.csv was changed since it was imported',
      'tests/test.sh lost its run bit since it was imported',
      'tests/truth.txt is missing: it came in with the import',
      'tests/helper.py was added since the task was imported',
      '',
    ]);
    expect(stdout).toContain('import it again from from/one with npx skillpair task import --replace');
  });

  test('a manifest that somebody broke is an error with its place', async () => {
    await using folder = await temporaryFolder();
    await write(join(folder.path, 'tasks/one'), {
      ...TASK,
      'skillpair-import.json':
        '{"schemaVersion": 1, "importedAt": "2026-01-01T00:00:00Z",\n "source": {"kind": "folder", "path": "x"},\n "files": [{"path": "../out", "kind": "file"}]}\n',
    });
    const { exitCode, stdout } = await program(['task', 'check', 'tasks'], folder.path, NO_ENGINE);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('tasks/one/skillpair-import.json:3:21 error:');
  });
});
