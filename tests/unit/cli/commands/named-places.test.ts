import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../../support/run-program.ts';
import { scratchFolder } from '../../load/support/scratch-project.ts';

const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };

const skillMd = (name: string) => `---\nname: ${name}\ndescription: Says what it does.\n---\n# ${name}\n`;
const taskFiles = (dir: string, skills: string) => ({
  [`${dir}/task.yaml`]: `schemaVersion: 1\ntitle: T\ndomain: natural-science\ncapability: c\ndifficulty: core\nskills: [${skills}]\nverifier: { outputs: [/workspace/out] }\n`,
  [`${dir}/instruction.md`]: 'Write 1.5 to /workspace/out/mean.txt.\n',
  [`${dir}/environment/Dockerfile`]: 'FROM skillpair/base:1\n',
  [`${dir}/tests/test_a.py`]: 'def test_a():\n    assert open("/workspace/out/mean.txt").read() == "1.5"\n',
});

const PROJECT = {
  'skills/payment-terms/SKILL.md': skillMd('payment-terms'),
  'skills/week-numbers/SKILL.md': skillMd('week-numbers'),
  ...taskFiles('tasks/station-log', 'payment-terms'),
  ...taskFiles('tasks/river-levels', ''),
  ...taskFiles('mine/tasks/delivery-weeks', ''),
  'experiments/demo.yaml': 'schemaVersion: 1\nname: demo\nconfigurations: [{ harness: nop }]\n',
  'mine/experiment.yaml': 'schemaVersion: 1\nname: mine\nconfigurations: [{ harness: nop }]\n',
  'a-file': 'x\n',
};

/** All that an experiment needs beside its file. */
const HARNESS = {
  'harnesses/nop/harness.yaml':
    'schemaVersion: 1\nid: nop\nversion: 1.0.0\ntitle: n\ncommand: [sh, -c, "exit 0"]\ndiscovery: { home: [.n/skills], project: [], system: [] }\nbundle: false\ntrajectory: none\n',
  'verifiers/x': 'x\n',
};

async function project() {
  const files = await scratchFolder(PROJECT);
  await mkdir(join(files.dir, 'empty'));
  await symlink('gone', join(files.dir, 'dangling'));
  return files;
}

const TASK_COMMANDS = ['task list', 'task show', 'task check', 'try'];
const SKILL_COMMANDS = ['skill list', 'skill show', 'skill check', 'skill diff skills/payment-terms'];
const RUN_COMMANDS = ['resume', 'report', 'verify'];
const EXPERIMENT_COMMANDS = ['check', 'plan', 'run'];
const ALL = [
  ...[...TASK_COMMANDS, 'task import', 'harness check', 'skill list --tasks', 'task list --skills'],
  ...['harness list --harnesses', 'harness check codex --harnesses'],
  ...['skill check skills --harnesses', 'skill show payment-terms --harnesses'],
  ...[...SKILL_COMMANDS, ...RUN_COMMANDS, ...EXPERIMENT_COMMANDS],
];
const WRONG = ['nowhere', 'nowhere/at/all', 'a-file', 'a-file/below', 'dangling', 'empty'];

describe('a path that is not there, a file, a link to nothing or an empty folder', () => {
  test.each(ALL)('is wrong input to "%s", told with a repair', async (command) => {
    await using files = await project();
    for (const given of WRONG) {
      const argv = [...command.split(' '), given];
      const { exitCode, stdout, stderr } = await program(argv, files.dir, NO_ENGINE);
      // A library may be empty: tasks may have all of their Skills.
      if (command === 'task list --skills' && given === 'empty') continue;
      expect([given, exitCode, stdout, stderr]).toEqual([
        given,
        2,
        '',
        expect.not.stringContaining('a fault of skillpair itself'),
      ]);
      expect(stderr).toMatch(/error: /);
      expect(stderr).toMatch(/^ {2}repair: (?!remove it)\S/m);
      expect(stderr).not.toContain('a fault of skillpair itself');
    }
  });
});

test.each([
  ['task check tasks --junit', 'file'],
  ['skill check skills --junit', 'file'],
  ['task new x --domain natural-science --dir', 'folder'],
  ['task import mine/tasks --into', 'folder'],
  ['task import mine/tasks --dry-run --into', 'folder'],
  ['run experiments/demo.yaml --runs', 'folder'],
])('what would be written where it cannot be is refused before any work: %s', async (command, kind) => {
  await using files = await scratchFolder({ ...PROJECT, ...HARNESS });
  await mkdir(join(files.dir, 'empty'));
  for (const place of ['a-file/below', ...(kind === 'file' ? ['empty'] : ['a-file'])]) {
    const { exitCode, stdout, stderr } = await program([...command.split(' '), place], files.dir, NO_ENGINE);
    const said = place === 'empty' ? 'a folder stands where the file would' : 'a file stands where a folder';
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
    expect(stderr).toMatch(/^ {2}repair: name another place with --/m);
  }
});

test('JUnit is written into folders that are made for it', async () => {
  await using files = await project();
  for (const noun of ['task', 'skill'])
    await program([noun, 'check', `${noun}s`, '--junit', `out/${noun}/found.xml`], files.dir);
  for (const noun of ['task', 'skill'])
    expect(await readFile(join(files.dir, `out/${noun}/found.xml`), 'utf8')).toContain('<testsuites');
});

describe('a task', () => {
  const named = [
    'tasks/station-log',
    'tasks/station-log/',
    './tasks/station-log',
    'station-log',
    'tasks/station-log/task.yaml',
  ];
  test.each(named)('may be named %s', async (given) => {
    await using files = await project();
    const listed = await program(['task', 'list', given, '--json'], files.dir, NO_ENGINE);
    expect(JSON.parse(listed.stdout).tasks).toMatchObject([{ id: 'station-log' }]);
  });

  test('may be named by its id to every command', async () => {
    await using files = await project();
    const checked = await program(['task', 'check', 'station-log'], files.dir);
    expect(checked.stderr).toMatch(/^1 task checked: /m);
    const shown = await program(['task', 'show', 'station-log', '--json'], files.dir, NO_ENGINE);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'station-log' });
    const tried = await program(['try', 'station-log'], files.dir, NO_ENGINE);
    expect(tried.exitCode).toBe(3);
  });

  test('is found by its name one project further down, where only one has it', async () => {
    await using files = await project();
    const shown = await program(['task', 'show', 'delivery-weeks', '--json'], files.dir, NO_ENGINE);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'delivery-weeks' });
    await using two = await scratchFolder({ ...taskFiles('a/tasks/x', ''), ...taskFiles('b/tasks/x', '') });
    const { exitCode, stderr } = await program(['task', 'show', 'x'], two.dir, NO_ENGINE);
    expect([exitCode, stderr]).toEqual([
      2,
      'error: "x" names 2 tasks\n  repair: name one by its folder: a/tasks/x or b/tasks/x\n',
    ]);
  });

  test.each([
    ['station-lgo', 'did you mean "tasks/station-log"?'],
    ['tasks/station-lgo', 'did you mean "tasks/station-log"?'],
    ['taks/station-log', 'did you mean "tasks/station-log"?'],
    ['taks', 'did you mean "tasks"?'],
    ['delivery-week', 'did you mean "mine/tasks/delivery-weeks"?'],
    ['tasks/station-log/instruction.md', 'did you mean "tasks/station-log"?'],
    ['something', 'use one of: tasks/river-levels, tasks/station-log, mine/tasks/delivery-weeks'],
  ])('that is nearly named is proposed: %s', async (given, repair) => {
    await using files = await project();
    for (const command of TASK_COMMANDS) {
      const { exitCode, stderr } = await program([...command.split(' '), given], files.dir, NO_ENGINE);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`  repair: ${repair}\n`)]);
    }
  });

  test('of several is asked for by name', async () => {
    await using files = await project();
    const { exitCode, stderr } = await program(['task', 'show', 'tasks'], files.dir, NO_ENGINE);
    expect([exitCode, stderr]).toEqual([
      2,
      'tasks error: this folder holds 2 tasks\n  repair: name one of them, such as tasks/river-levels, tasks/station-log\n',
    ]);
  });
});

test.each([
  ['experiments/dmeo.yaml', 'experiments/demo.yaml'],
  ['demo', 'experiments/demo.yaml'],
  ['demo.yaml', 'experiments/demo.yaml'],
  ['mine/experimnt.yaml', 'mine/experiment.yaml'],
])('an experiment that is nearly named is proposed: %s', async (given, meant) => {
  await using files = await project();
  for (const command of EXPERIMENT_COMMANDS) {
    const { exitCode, stderr } = await program([command, given], files.dir, NO_ENGINE);
    expect([exitCode, stderr]).toEqual([
      2,
      `${given} error: there is no such file\n  repair: did you mean "${meant}"?\n`,
    ]);
  }
});

describe('a Skill', () => {
  test.each(['payment-terms', 'skills/payment-terms', 'skills/payment-terms/SKILL.md'])(
    'may be named %s',
    async (given) => {
      await using files = await project();
      const shown = await program(['skill', 'show', given, '--json'], files.dir);
      expect([shown.exitCode, JSON.parse(shown.stdout).skill.subject]).toEqual([0, 'skills/payment-terms']);
      const compared = await program(['skill', 'diff', given, 'week-numbers'], files.dir);
      expect(compared).toMatchObject({ exitCode: 1, stderr: '' });
    },
  );

  test.each([
    ['skills/payment-term', 'did you mean "skills/payment-terms"?'],
    ['payment-term', 'did you mean "skills/payment-terms"?'],
    ['skils', 'did you mean "skills"?'],
    ['skills/nope', 'use one of: skills/payment-terms, skills/week-numbers'],
  ])('that is nearly named is proposed: %s', async (given, repair) => {
    await using files = await project();
    for (const command of SKILL_COMMANDS) {
      const { exitCode, stderr } = await program([...command.split(' '), given], files.dir);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`  repair: ${repair}\n`)]);
    }
  });

  test('of a library is asked for by name', async () => {
    await using files = await project();
    for (const argv of [
      ['skill', 'show', 'skills'],
      ['skill', 'diff', 'skills', 'payment-terms'],
    ]) {
      const { exitCode, stderr } = await program(argv, files.dir);
      expect([exitCode, stderr]).toEqual([
        2,
        'error: "skills" stands for 2 Skills\n  repair: name one of them, such as skills/payment-terms, skills/week-numbers\n',
      ]);
    }
  });

  test('that a task names and that is not there is told', async () => {
    await using files = await scratchFolder({ ...PROJECT, ...taskFiles('tasks/lost', 'payment-trems') });
    const { exitCode, stderr } = await program(['skill', 'show', 'lost'], files.dir);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^tasks\/lost\/task\.yaml:6:10 error: there is no Skill "payment-trems"/),
    ]);
    expect(stderr).toContain('did you mean "payment-terms"?');
  });

  test('that does not load is shown with the reason', async () => {
    await using files = await scratchFolder({ 'skills/x/SKILL.md': '# x\n' });
    const { exitCode, stdout } = await program(['skill', 'show', 'x'], files.dir);
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^name: +does not load: \S/m);
  });
});
