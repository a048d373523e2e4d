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

const taskYaml = (skills: string) =>
  `schemaVersion: 1\ntitle: T\ndomain: natural-science\ncapability: c\ndifficulty: core\nskills: [${skills}]\nverifier: { outputs: [/workspace/out] }\n`;

describe('skill check of tasks', () => {
  const PROJECT = {
    'skills/shared/SKILL.md': skillMd('shared'),
    'skills/unused/SKILL.md': skillMd('unused'),
    'tasks/one/task.yaml': taskYaml('shared, own'),
    'tasks/one/skills/own/SKILL.md': skillMd('own'),
    'tasks/two/task.yaml': taskYaml('shared'),
    'tasks/harbor/task.toml': 'version = "1.0"\n',
    'tasks/harbor/environment/skills/inner/SKILL.md': skillMd('inner'),
    'tasks/none/task.yaml': taskYaml(''),
  };
  const subjects = async (dir: string, ...argv: string[]) => {
    const { stdout } = await program(['skill', 'check', ...argv, '--json'], dir);
    return (JSON.parse(stdout) as { skills: { subject: string }[] }).skills.map(({ subject }) => subject);
  };

  test('looks at those they have and those they name, each once', async () => {
    await using files = await scratchFolder(PROJECT);
    expect(await subjects(files.dir, 'tasks/one')).toEqual(['tasks/one/skills/own', 'skills/shared']);
    expect(await subjects(files.dir, 'one')).toEqual(['tasks/one/skills/own', 'skills/shared']);
    expect(await subjects(files.dir, 'tasks/two/task.yaml')).toEqual(['skills/shared']);
    expect(await subjects(files.dir, 'tasks')).toEqual([
      'tasks/harbor/environment/skills/inner',
      'tasks/one/skills/own',
      'skills/shared',
    ]);
  });

  test('says of a task without Skills that it uses none', async () => {
    await using files = await scratchFolder(PROJECT);
    const { exitCode, stderr } = await program(['skill', 'check', 'tasks/none'], files.dir);
    expect([exitCode, stderr]).toEqual([
      2,
      'tasks/none error: the task uses no Skills\n  repair: name the folder of a Skill, a library, or tasks that use Skills\n',
    ]);
  });

  test('finds a name that no Skill has, and a task file that cannot be read, also in JUnit', async () => {
    await using files = await scratchFolder({
      ...PROJECT,
      'tasks/two/task.yaml': taskYaml('shraed'),
      'tasks/none/task.yaml': 'skills: [',
    });
    const { exitCode, stdout } = await program(
      ['skill', 'check', 'tasks', '--junit', 'skills.xml'],
      files.dir,
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^tasks\/two\/task\.yaml:6:10 error: there is no Skill "shraed".* \[skill-file\]; repair: did you mean "shared"\?$/m,
    );
    expect(stdout).toMatch(/^tasks\/none\/task\.yaml:1:\d+ error: YAML: .* \[task-file\]/m);
    const root = await parseStrictly(await readFile(join(files.dir, 'skills.xml'), 'utf8'));
    const failing = children(root, 'testsuite').filter(({ $ }) => $.failures !== '0');
    expect(failing.map(({ $ }) => $.name)).toEqual(['skill-check.none', 'skill-check.two']);
  });
});

describe('what is nearly a Skill', () => {
  const LIBRARY = {
    'skills/a/SKILL.md': skillMd('a'),
    'skills/b/skill.md': skillMd('b'),
    'skills/c/Skill.md': skillMd('c'),
    'skills/d/README.md': 'x',
    'skills/.hidden/x': 'x',
    'skills/README.md': 'x',
  };

  test('is told in a library as it is told alone', async () => {
    await using files = await scratchFolder(LIBRARY);
    const { exitCode, stdout } = await program(['skill', 'check', 'skills'], files.dir);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      "skills/b/skill.md error: a Skill's file is called SKILL.md, and skill.md is not read [skill-file-case]; repair: rename skill.md to SKILL.md",
      "skills/c/Skill.md error: a Skill's file is called SKILL.md, and Skill.md is not read [skill-file-case]; repair: rename Skill.md to SKILL.md",
      'skills/d warning: "d" has no SKILL.md: it is no Skill [skill-file]; repair: write its SKILL.md, or remove the folder',
    ]);
    expect(stdout).toContain('3 Skills: 2 errors, 1 warning\n');
    expect(stdout).toMatch(/^skills\/b: openhands shows it as b$/m);
    const alone = await program(['skill', 'check', 'skills/b'], files.dir);
    expect(alone.stdout).toContain(stdout.split('\n')[0]);
  });

  test('is an error to skill check and to task check alike, in either format', async () => {
    await using files = await scratchFolder({
      'tasks/native/task.yaml': taskYaml(''),
      'tasks/native/skills/x/skill.md': skillMd('x'),
      'tasks/harbor/task.toml': 'version = "1.0"\n',
      'tasks/harbor/environment/skills/x/skill.md': skillMd('x'),
    });
    for (const [task, path] of [
      ['native', 'tasks/native/skills/x/skill.md'],
      ['harbor', 'tasks/harbor/environment/skills/x/skill.md'],
    ])
      for (const noun of ['skill', 'task']) {
        const { exitCode, stdout } = await program([noun, 'check', `tasks/${task}`], files.dir);
        expect(exitCode).toBe(1);
        expect(stdout).toContain(
          `${path} error: a Skill's file is called SKILL.md, and skill.md is not read`,
        );
      }
  });

  test('is listed by no program where no file is near the name', async () => {
    await using files = await scratchFolder({ 'd/README.md': 'x' });
    const { stdout } = await program(['skill', 'check', 'd', '--json'], files.dir);
    const [{ listings }] = JSON.parse(stdout).skills;
    expect(new Set(listings.map(({ effect }: { effect: string }) => effect))).toEqual(new Set(['ignored']));
  });

  test('is a link out of the library too', async () => {
    await using files = await scratchFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'elsewhere/b/SKILL.md': skillMd('b'),
    });
    await symlink('../elsewhere/b', join(files.dir, 'skills/b'));
    await symlink('a/SKILL.md', join(files.dir, 'skills/notes.md'));
    const { exitCode, stdout } = await program(['skill', 'check', 'skills'], files.dir);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^skills\/b error: the link leads out of the folder that it stands in /m);
    expect(stdout).not.toContain('notes.md');
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
