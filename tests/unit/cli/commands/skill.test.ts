import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../../support/run-program.ts';
import { children, parseStrictly } from '../../../support/strict-xml.ts';
import { scratchFolder } from '../../load/support/scratch-project.ts';

const skillMd = (name: string, description = 'Says what it does.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`;
const colon = skillMd('b', 'Use when: x');

describe('skill check', () => {
  test('prints findings one a line, then who lists what', async () => {
    await using files = await scratchFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'skills/b/SKILL.md': colon,
    });
    const checked = await program(['skill', 'check', 'skills'], files.dir);
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = checked.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^skills\/b\/SKILL\.md:3:14 warning: .* \[unquoted-value\]; repair: put the value/,
    );
    expect(lines[1]).toMatch(/^skill +claude-code +codex +gemini-cli +opencode +openhands +qwen-code /);
    expect(lines[2]).toMatch(/^skills\/a( +listed){6} .* portable$/);
    expect(lines[3]).toMatch(
      /accepted by claude-code, codex, gemini-cli, opencode, qwen-code; ignored by openhands$/,
    );
    expect(lines[4]).toBe('2 Skills: 1 warning');
  });

  test('takes bundles, libraries and tasks, each bundle once', async () => {
    await using files = await scratchFolder({
      'one/SKILL.md': skillMd('one'),
      'library/a/SKILL.md': skillMd('a'),
      'task/environment/skills/c/SKILL.md': skillMd('c'),
      'other/skills/d/SKILL.md': skillMd('d'),
    });
    const argv = ['skill', 'check', 'one', 'library', 'library/a', 'task', 'other', '--json'];
    const { skills } = JSON.parse((await program(argv, files.dir)).stdout);
    expect(skills.map((skill: { subject: string }) => skill.subject)).toEqual([
      'one',
      'library/a',
      'task/environment/skills/c',
      'other/skills/d',
    ]);
  });

  test('exits with 1 for an error, with --strict for a warning too, and with 2 where there is no folder', async () => {
    await using files = await scratchFolder({ 'a/README.md': 'x', 'b/SKILL.md': colon });
    const code = async (...argv: string[]) =>
      (await program(['skill', 'check', ...argv], files.dir)).exitCode;
    expect(await code('a')).toBe(1);
    expect(await code('b')).toBe(0);
    expect(await code('b', '--strict')).toBe(1);
    expect(await code('c')).toBe(2);
    expect(await code('b', '--harness', 'codx')).toBe(2);
  });

  test('narrows the harnesses, and says of one without measurements that there are none', async () => {
    await using files = await scratchFolder({ 'b/SKILL.md': skillMd('b') });
    const argv = ['skill', 'check', 'b', '--json', '--harness', 'codex', '--harness', 'literal'];
    const { skills } = JSON.parse((await program(argv, files.dir)).stdout);
    expect(skills[0]).toMatchObject({
      verdict: 'accepted by codex; not measured: literal',
      listings: [
        { harness: 'codex', effect: 'listed' },
        { harness: 'literal', effect: 'not-measured' },
      ],
    });
  });

  test('writes a suite for each Skill and a case for each rule', async () => {
    await using files = await scratchFolder({ 'a/SKILL.md': skillMd('a'), 'b/README.md': 'x' });
    await program(['skill', 'check', 'a', 'b', '--junit', 'out/skills.xml'], files.dir);
    const root = await parseStrictly(await readFile(join(files.dir, 'out/skills.xml'), 'utf8'));
    const suites = children(root, 'testsuite').map(({ $ }) => [$.name, $.failures]);
    expect(suites).toEqual([
      ['skill-check.a', '0'],
      ['skill-check.b', '1'],
    ]);
  });
});

describe('skill check --fix', () => {
  test('mends on disk, shows how, keeps the mode, and finds nothing to do the second time', async () => {
    await using files = await scratchFolder({ 'b/SKILL.md': `\uFEFF${colon}` });
    const path = join(files.dir, 'b/SKILL.md');
    await chmod(path, 0o750);
    const first = await program(['skill', 'check', 'b', '--fix'], files.dir);
    expect(first.stdout).toContain('-<BOM>---\n+---\n');
    expect(first.stdout).toContain('+description: "Use when: x"\n');
    expect(first.stdout).toContain('1 Skill: no findings');
    expect(await readFile(path, 'utf8')).toBe(skillMd('b', '"Use when: x"'));
    expect((await stat(path)).mode & 0o777).toBe(0o750);
    const { ino } = await stat(path);
    const second = await program(['skill', 'check', 'b', '--fix'], files.dir);
    expect(second.stdout).not.toContain('@@');
    expect((await stat(path)).ino).toBe(ino);
  });

  test('follows a link inside the bundle and none out of it', async () => {
    await using files = await scratchFolder({ 'b/text.md': colon, 'c/x': '', 'outside.md': colon });
    await symlink('text.md', join(files.dir, 'b/SKILL.md'));
    await symlink('../outside.md', join(files.dir, 'c/SKILL.md'));
    await program(['skill', 'check', 'b', 'c', '--fix'], files.dir);
    expect((await lstat(join(files.dir, 'b/SKILL.md'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(files.dir, 'b/text.md'), 'utf8')).toContain('"Use when: x"');
    expect(await readFile(join(files.dir, 'outside.md'), 'utf8')).toBe(colon);
  });
});

test('skill list tells size, digest and the tasks that name each Skill', async () => {
  await using files = await scratchFolder({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/b/README.md': 'x',
    'skills/b/SKILL.md': skillMd('B'),
    'tasks/t/task.yaml':
      'schemaVersion: 1\ntitle: T\ndomain: natural-science\ncapability: c\ndifficulty: core\nskills: [a]\n',
  });
  const { stdout, exitCode } = await program(['skill', 'list', '--json'], files.dir);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).skills).toMatchObject([
    { name: 'a', title: 'a', files: 1, tasks: ['t'] },
    { name: 'b', title: 'B', files: 2, tasks: [] },
  ]);
  expect((await program(['skill', 'list'], files.dir)).stdout).toMatch(/^a +a +1 +\d+ +[0-9a-f]{12} +t$/m);
});

test('skill list finds users of either format in every folder it is given: by name, or by the same bytes of their own', async () => {
  const facts = 'schemaVersion: 1\ntitle: T\ndomain: natural-science\ncapability: c\ndifficulty: core\n';
  await using files = await scratchFolder({
    'skills/a/SKILL.md': skillMd('a'),
    'here/named/task.yaml': `${facts}skills: [a]\n`,
    'here/own/task.yaml': `${facts}skills: [a]\n`,
    'here/own/skills/a/SKILL.md': skillMd('a', 'Another one of that name.'),
    'there/same/task.toml': 'version = "1.0"\n',
    'there/same/environment/skills/b/SKILL.md': skillMd('a'),
    'there/other/task.toml': 'version = "1.0"\n',
    'there/other/environment/skills/a/SKILL.md': skillMd('a', 'Something else.'),
  });
  const users = async (...argv: string[]) => {
    const { stdout } = await program(['skill', 'list', ...argv, '--json'], files.dir);
    return (JSON.parse(stdout) as { skills: { tasks: string[] }[] }).skills.map(({ tasks }) => tasks);
  };
  expect(await users('skills', '--tasks', 'here', '--tasks', 'there/same', '--tasks', 'there/other')).toEqual(
    [['named', 'same']],
  );
  expect(await users('there/other')).toEqual([['other']]);
  expect((await program(['skill', 'list', '--tasks', 'nowhere'], files.dir)).exitCode).toBe(2);
});

test('skill show has head, files with modes, listing and points', async () => {
  await using files = await scratchFolder({ 'b/SKILL.md': skillMd('other'), 'b/run.sh': 'true\n' });
  await chmod(join(files.dir, 'b/run.sh'), 0o700);
  const { stdout, exitCode } = await program(['skill', 'show', 'b'], files.dir);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^name: +other$/m);
  expect(stdout).toMatch(/^755 +5 +run\.sh$/m);
  expect(stdout).toMatch(/^codex +listed as other$/m);
  expect(stdout).toMatch(/^openhands +ignored$/m);
  expect(stdout).toContain('a heuristic');
});

describe('skill diff', () => {
  test('is silent and 0 for the same bundle, and names every difference with 1', async () => {
    await using files = await scratchFolder({
      'a/SKILL.md': skillMd('a').replace('---\n#', 'license: MIT\nmetadata: {version: "1", by: x}\n---\n#'),
      'a/gone.txt': 'x',
      'a/mode.sh': 'x',
      'b/SKILL.md': skillMd('a', 'Says more.').replace(
        '---\n#',
        'allowed-tools: Bash\nmetadata: {by: x, version: "2"}\n---\n#',
      ),
      'b/come.txt': 'xyz',
      'b/mode.sh': 'x',
    });
    await chmod(join(files.dir, 'b/mode.sh'), 0o755);
    expect(await program(['skill', 'diff', 'a', 'a'], files.dir)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const { exitCode, stdout } = await program(['skill', 'diff', 'a', 'b'], files.dir);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(0, 9)).toEqual([
      'head changed: description (Says what it does. -> Says more.)',
      'head added: allowed-tools (Bash)',
      'head changed: metadata ({"by":"x","version":"1"} -> {"by":"x","version":"2"})',
      'head removed: license (MIT)',
      // `wc -c`: 52 + 13 + 32, 44 + 20 + 32.
      'content changed: SKILL.md (97 -> 96 bytes)',
      'file added: come.txt (3 bytes)',
      'file removed: gone.txt (1 byte)',
      'mode changed: mode.sh (644 -> 755)',
      '',
    ]);
    expect(stdout).toContain('-description: Says what it does.\n');
    expect(stdout).toContain('+description: Says more.\n');
  });

  test('refuses what does not load', async () => {
    await using files = await scratchFolder({ 'a/SKILL.md': skillMd('a'), 'b/x': '' });
    expect((await program(['skill', 'diff', 'a', 'b'], files.dir)).exitCode).toBe(2);
  });
});
