import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../../support/run-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Nothing answers there. */
const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };

const TOML = `version = "1.0"
[metadata]
difficulty = "hard"
category = "games"
expert_time_estimate_min = 45
junior_time_estimate_min = 120.5
[agent]
timeout_sec = 900.0
[environment]
cpus = 4096
memory = "2G"
`;

const GOOD = {
  'task.toml': TOML,
  'instruction.md': 'Write 1.5 to /root/mean.txt.\n',
  'environment/Dockerfile': 'FROM debian:12\nCOPY skills /root/.claude/skills\n',
  'environment/skills/averages/SKILL.md': '---\nname: averages\ndescription: Averages.\n---\nMind gaps.\n',
  'solution/solve.sh': 'echo 1.5 > /root/mean.txt\n',
  'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
};

async function tasks(dir: string, byName: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  for (const [name, files] of Object.entries(byName))
    for (const [path, text] of Object.entries(files)) {
      const file = join(dir, 'tasks', name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
}

const MIXED = {
  good: GOOD,
  'with-service': {
    ...GOOD,
    'environment/docker-compose.yaml': 'services:\n  main: {}\n  api: {image: "x:1"}\n',
  },
  'with-gpu': { ...GOOD, 'task.toml': `${TOML}gpus = 1\n` },
  'without-file': { ...GOOD, 'environment/Dockerfile': 'FROM debian:12\nCOPY clip.mp4 /clip.mp4\n' },
  heredoc: { ...GOOD, 'environment/Dockerfile': 'FROM debian:12\nRUN <<EOF\ntrue\nEOF\n' },
};

describe('task list', () => {
  test('tells each task, and why one cannot be run, without an engine', async () => {
    await using folder = await temporaryFolder();
    await tasks(folder.path, MIXED);
    const { exitCode, stdout } = await program(['task', 'list', '--json'], folder.path, NO_ENGINE);
    expect(exitCode).toBe(0);
    const rows = (JSON.parse(stdout) as { tasks: { id: string; state: { reasons?: string[] } }[] }).tasks;
    expect(rows.map(({ id, state }) => [id, state.reasons?.[0]])).toEqual([
      ['good', undefined],
      ['heredoc', "RUN uses a here-document (<<), which the engine's builder does not know"],
      ['with-gpu', 'environment.gpus is not supported: containers get no GPU'],
      ['with-service', 'the service "api" is not supported: a task has one container'],
      ['without-file', 'COPY names "clip.mp4", which is not in the build context'],
    ]);
    expect(rows[0]).toMatchObject({
      format: 'harbor',
      domain: 'games',
      difficulty: 'hard',
      skills: ['averages'],
      limits: { cpus: 4096, memoryBytes: 2 * 1024 ** 3, agentTimeoutMs: 900_000 },
    });
  });

  test('says what an empty folder lacks', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'tasks'));
    const { exitCode, stderr } = await program(['task', 'list'], folder.path, NO_ENGINE);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('there are no tasks in this folder');
  });
});

describe('task show', () => {
  test('clamps limits to the host and names bases, Skills and what is not supported', async () => {
    await using folder = await temporaryFolder();
    await tasks(folder.path, MIXED);
    const { exitCode, stdout, stderr } = await program(['task', 'show', 'with-gpu'], folder.path, NO_ENGINE);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^cpus: +\d+ \(4096 wished: more than the host has\)$/m);
    expect(stdout).toMatch(/^estimates: +45 min for an expert, 120\.5 min for a junior$/m);
    expect(stdout).toMatch(/^base: +debian:12, Dockerfile line 1$/m);
    expect(stdout).toMatch(/^Skill: +averages, [0-9a-f]{12}, 1 file$/m);
    expect(stderr).toContain('tasks/with-gpu/task.toml:12:1 error: environment.gpus is not supported');
  });
});

describe('task check', () => {
  test('ends with 1 where a task has an error, a line for each finding and JUnit beside it', async () => {
    await using folder = await temporaryFolder();
    await tasks(folder.path, { 'without-file': MIXED['without-file'] });
    const argv = ['task', 'check', 'tasks', '--junit', 'lint.xml'];
    const { exitCode, stdout, stderr } = await program(argv, folder.path, NO_ENGINE);
    expect(exitCode).toBe(1);
    expect(stdout).toBe(
      'tasks/without-file/environment/Dockerfile:2 error: COPY names "clip.mp4", which is not in the build context [dockerfile]; repair: add it, or correct the path; a .dockerignore may hide it\n',
    );
    expect(stderr).toContain('1 task checked: 1 error');
    const junit = await readFile(join(folder.path, 'lint.xml'), 'utf8');
    expect(junit).toContain('<testsuite name="task-check.without-file"');
    expect(junit).toContain('failures="1"');
  });

  test('tells what stops a build once, and does not ask an engine to say it again', async () => {
    await using folder = await temporaryFolder();
    const { 'environment/Dockerfile': _, ...bare } = GOOD;
    const broken = { ...GOOD, 'tests/test_it.py': 'def test_it():\n    assert (read()\n' };
    await tasks(folder.path, { bare, broken, 'without-file': MIXED['without-file'] });
    const argv = ['task', 'check', 'tasks', '--level', 'gate'];
    const { exitCode, stdout } = await program(argv, folder.path, NO_ENGINE);
    expect(exitCode).toBe(1);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^tasks\/bare\/environment\/Dockerfile error: .*\[task-file\]; repair: /),
      expect.stringMatching(/^tasks\/broken\/tests\/test_it\.py:2 error: .*\[python-syntax\]/),
      expect.stringMatching(/^tasks\/without-file\/environment\/Dockerfile:2 error: COPY .*\[dockerfile\]/),
    ]);
  });

  test('ends with 0 on warnings, and with 1 where these count', async () => {
    await using folder = await temporaryFolder();
    await tasks(folder.path, { good: { ...GOOD, 'tests/test.sh': 'pip install pandas\n' } });
    const argv = ['task', 'check', 'tasks/good', '--json'];
    const lenient = await program(argv, folder.path, NO_ENGINE);
    expect(lenient.exitCode).toBe(0);
    expect(JSON.parse(lenient.stdout)).toMatchObject({
      tasks: 1,
      level: 'lint',
      findings: [
        { rule: 'unpinned-install', subject: 'good', where: { file: 'tasks/good/tests/test.sh', line: 1 } },
      ],
    });
    expect((await program([...argv, '--strict'], folder.path, NO_ENGINE)).exitCode).toBe(1);
  });
});
