import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHarborTask } from '../../../src/load/harbor-task.ts';
import { renderProblems } from '../../../src/load/render-problems.ts';
import { SkillLibrary } from '../../../src/load/skill-library.ts';
import { type Files, scratchFolder } from './support/scratch-project.ts';

const TOML = `version = "1.0"

[metadata]
expert_time_estimate_min = 30.0
difficulty = "middle"
category = "materials_science"
tags = ["xrd"]

[verifier]
timeout_sec = 900.0

[agent]
timeout_sec = 1200.5

[environment]
build_timeout_sec = 600.0
cpus = 4
memory_mb = 4096
storage_mb = 10240
`;

const skill = (name: string, body = '') => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}`;

const HARBOR: Files = {
  'task.toml': TOML,
  'instruction.md': 'Fit the peaks.\n',
  'environment/Dockerfile': 'FROM ubuntu:24.04\nCOPY skills /root/.claude/skills\n',
  'environment/skills/peaks/SKILL.md': skill('peaks'),
  'solution/solve.sh': 'true\n',
  'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
};

async function load(changes: Files = {}, allowEnv: Record<string, string> = {}) {
  await using folder = await scratchFolder({ ...HARBOR, ...changes });
  const { dir } = folder;
  const source = {
    name: 'xrd-fit',
    dir,
    library: new SkillLibrary(join(dir, 'none')),
    isLibraryMissing: false,
    allowEnv,
    needsSolution: true,
  };
  const loaded = await loadHarborTask(source);
  return { ...loaded, dir, text: renderProblems(loaded.problems, dir) };
}

const toml = (more: string) => ({ 'task.toml': `${TOML}${more}\n` });

describe('a task of the public layout, unchanged', () => {
  it('loads without a word into the one Task value', async () => {
    const { task, text, dir } = await load();
    expect(text).toBe('');
    expect(task).toMatchObject({
      id: 'xrd-fit',
      format: 'harbor',
      metadata: {
        title: 'xrd-fit',
        domain: 'materials_science',
        difficulty: 'middle',
        tags: ['xrd'],
        estimates: { expertMinutes: 30 },
      },
      environment: {
        contextDir: join(dir, 'environment'),
        buildTimeoutMs: 600_000,
        cpus: 4,
        memoryBytes: 4_294_967_296,
        storageBytes: 10_737_418_240,
        network: 'internet',
        skillsPath: 'skills',
      },
      agent: { timeoutMs: 1_200_500 },
      verifier: {
        kind: 'script',
        timeoutMs: 900_000,
        network: 'internet',
        isolation: 'snapshot',
        skipped: 'allow',
      },
    });
    expect(task?.agent.user).toBeUndefined();
    expect(task?.skills.map(({ name }) => name)).toEqual(['peaks']);
  });

  it.each([
    ['"2G"', 2_147_483_648],
    ['"512M"', 536_870_912],
    ['"1GiB"', 1_073_741_824],
    ['"0.5gb"', 536_870_912],
  ])('reads the size %s', async (size, bytes) => {
    const { task } = await load({ 'task.toml': TOML.replace('memory_mb = 4096', `memory = ${size}`) });
    expect(task?.environment.memoryBytes).toBe(bytes);
  });

  it('accepts both forms of a size where they agree, and says where they do not', async () => {
    expect((await load(toml('memory = "4G"'))).text).toBe('');
    expect((await load(toml('memory = "2G"'))).text).toContain(
      'task.toml:20:10 error: environment.memory = "2G" and environment.memory_mb = 4096 are not the same size',
    );
  });

  it('reads CRLF throughout', async () => {
    const { task, text } = await load({ 'task.toml': TOML.replaceAll('\n', '\r\n') });
    expect(text).toBe('');
    expect(task?.agent.timeoutMs).toBe(1_200_500);
  });

  it('keeps the bytes of the instruction', async () => {
    const { task } = await load({ 'instruction.md': '\uFEFFFit.\r\n' });
    expect(task?.instruction).toBe('\uFEFFFit.\r\n');
  });

  it('warns of unknown keys, but for those in metadata', async () => {
    const text = TOML.replace('[agent]', '[agent]\nreasoning_effort = "high"').replace(
      '[metadata]',
      '[metadata]\nodd = 1',
    );
    expect((await load({ 'task.toml': text })).text).toBe(
      `task.toml:14:1 warning: unknown key "reasoning_effort" in agent
  | reasoning_effort = "high"
  | ^
  repair: use one of: timeout_sec, user, network_mode, allowed_hosts
`,
    );
  });

  it('lets loose files travel with the Skills, and names a folder without SKILL.md', async () => {
    const { task, text } = await load({
      'environment/skills/reference.md': 'see',
      'environment/skills/licenses/MIT.txt': 'MIT',
    });
    expect(task?.looseSkillFiles.map(({ path }) => path)).toEqual([
      'licenses',
      'licenses/MIT.txt',
      'reference.md',
    ]);
    expect(text).toContain('environment/skills/licenses warning: "licenses" has no SKILL.md');
    expect(text).toContain('environment/skills/reference.md note: "reference.md" belongs to no Skill');
  });

  it('loads without Skills, and then names no path for them', async () => {
    const { task } = await load({ 'environment/skills/peaks/SKILL.md': null });
    expect(task?.skills).toEqual([]);
    expect(task?.environment).not.toHaveProperty('skillsPath');
  });

  it.each([
    ['allow_internet = false', 'none', 'none'],
    ['network_mode = "no-network"', 'none', 'none'],
    ['allow_internet = true', 'internet', 'internet'],
  ])('reads %s', async (key, agent, verifier) => {
    const { task } = await load(toml(key));
    expect([task?.environment.network, task?.verifier.network]).toEqual([agent, verifier]);
  });
});

it('gives each phase its own network where the task does', async () => {
  const text = TOML.replace('[agent]', '[agent]\nnetwork_mode = "no-network"');
  const { task } = await load({ 'task.toml': `${text}network_mode = "public"\n` });
  expect([task?.environment.network, task?.verifier.network]).toEqual(['none', 'internet']);
});

describe('what is asked for and not supported is an error by name and line', () => {
  it.each([
    ['gpus = 1', 'task.toml:20:1 error: environment.gpus is not supported: containers get no GPU'],
    ['os = "windows"', 'task.toml:20:1 error: environment.os is not supported'],
    ['workdir = "/app"', 'task.toml:20:1 error: environment.workdir is not supported'],
    ['skills_dir = "/skills"', 'task.toml:20:1 error: environment.skills_dir is not supported'],
    ['allowed_hosts = ["example.org"]', 'task.toml:20:1 error: environment.allowed_hosts is not supported'],
    ['network_mode = "allowlist"', 'task.toml:20:1 error: environment.network_mode is not supported'],
    [
      '[[environment.mcp_servers]]\nname = "x"',
      'task.toml:20:3 error: environment.mcp_servers is not supported',
    ],
    [
      '[environment.healthcheck]\ncommand = "x"',
      'task.toml:20:2 error: environment.healthcheck is not supported',
    ],
    ['[[steps]]\nname = "one"', 'task.toml:20:3 error: steps is not supported: a task has one instruction'],
    ['gpu_types = ["H100"]', 'task.toml:20:1 error: environment.gpu_types is not supported'],
  ])('%j', async (more, expected) => {
    const { task, text } = await load(toml(more));
    expect(task).toBeUndefined();
    expect(text).toContain(expected);
  });

  it.each([
    ['environment_mode = "separate"', 'task.toml:11:1 error: verifier.environment_mode is not supported'],
    ['user = "nobody"', 'task.toml:11:1 error: verifier.user is not supported'],
  ])('verifier %s', async (key, expected) => {
    const { text } = await load({ 'task.toml': TOML.replace('900.0\n', `900.0\n${key}\n`) });
    expect(text).toContain(expected);
  });

  it('a reward over several steps', async () => {
    const { text } = await load({ 'task.toml': `multi_step_reward_strategy = "mean"\n${TOML}` });
    expect(text).toContain('task.toml:1:1 error: multi_step_reward_strategy is not supported');
  });

  it('control: the newer name of the version loads without a word', async () => {
    const { text } = await load({ 'task.toml': TOML.replace('version =', 'schema_version =') });
    expect(text).toBe('');
  });

  it('control: what is left out without harm is a warning or a note, by name', async () => {
    const more = 'image = "python:3.12"\ndocker_image = "x/y:1"\n[reward]\nreward = "P/13"';
    const { task, text } = await load({ 'task.toml': `artifacts = ["/out"]\n${TOML}${more}\n` });
    expect(task?.id).toBe('xrd-fit');
    expect(text.split('\n').filter((line) => line.startsWith('task.toml'))).toEqual([
      'task.toml:21:1 warning: environment.image is left out',
      'task.toml:1:1 warning: artifacts are not collected',
      'task.toml:22:1 note: environment.docker_image is not pulled',
      'task.toml:23:2 note: reward is for readers only',
    ]);
  });

  it('control: the same keys with harmless values load', async () => {
    const { task } = await load(toml('gpus = 0\nos = "linux"\nmcp_servers = []\nallowed_hosts = []'));
    expect(task?.id).toBe('xrd-fit');
  });

  it('names the hosts that an agent may reach, where the verifier has a network of its own', async () => {
    const own = TOML.replace('[verifier]\n', '[verifier]\nnetwork_mode = "public"\n');
    const hosts = 'network_mode = "allowlist"\nallowed_hosts = ["example.org", "*.example.com"]\n';
    const { task } = await load({ 'task.toml': own + hosts });
    expect(task?.environment).toMatchObject({
      network: 'allowlist',
      allowHosts: ['example.org', '*.example.com'],
    });
    expect(task?.verifier.network).toBe('internet');
  });

  it('a Compose file with a second service', async () => {
    const compose = 'services:\n  main:\n    build: .\n  api:\n    build: ./api\n';
    expect((await load({ 'environment/docker-compose.yaml': compose })).text).toContain(
      'environment/docker-compose.yaml:4:3 error: the service "api" is not supported: a task has one container',
    );
  });

  it('control: a Compose file that only adds to the one service is a warning', async () => {
    const compose = `services:\n  main:\n    volumes: ["\${HOME}/.config:/root/.config:ro"]\n`;
    const { task, text } = await load({ 'environment/docker-compose.yaml': compose });
    expect(task?.id).toBe('xrd-fit');
    expect(text).toContain('environment/docker-compose.yaml:2:3 warning: what the Compose file adds');
  });
});

describe('variables of the host', () => {
  const env = `[verifier.env]\nKEY = "\${OPENAI_API_KEY}"\nFIXED = "1"\nURL = "http://\${HOST:-localhost}:\${PORT:-80}/"`;

  it('do not reach a task: the variable stays unset, with a warning', async () => {
    const { task, text } = await load(toml(env), { UNRELATED: 'x' });
    expect(task?.verifier.env).toEqual({ FIXED: '1', URL: 'http://localhost:80/' });
    expect(text).toContain('task.toml:21:7 warning: verifier.env.KEY asks for OPENAI_API_KEY of the host');
  });

  it('reach it where they are allowed by name', async () => {
    const { task, text } = await load(toml(env), { OPENAI_API_KEY: 'sk-test', PORT: '8080' });
    expect(task?.verifier.env).toEqual({ KEY: 'sk-test', FIXED: '1', URL: 'http://localhost:8080/' });
    expect(text).toBe('');
  });

  it('are not taken from the prototype of the allow-list', async () => {
    const { task } = await load(toml(`[solution.env]\nA = "\${constructor}"`));
    expect(task?.solution?.env).toEqual({});
  });
});

it('says everything that is missing at once', async () => {
  const { text } = await load({
    'task.toml': TOML.replace('1200.5', '"long"'),
    'instruction.md': ' \n',
    'environment/Dockerfile': null,
    'solution/solve.sh': null,
    'tests/test.sh': null,
  });
  expect(text.split('\n').filter((line) => line.includes(' error: '))).toEqual([
    'task.toml:13:15 error: agent.timeout_sec must be a number, not "long"',
    'instruction.md error: the instruction is empty',
    'environment/Dockerfile error: the task has no Dockerfile',
    'tests/test.sh error: the task has no tests/test.sh',
    'solution/solve.sh error: a configuration uses the oracle harness, and the task has no solution/solve.sh',
  ]);
});

it('brings an almost-right solution along, which must have a solve.sh', async () => {
  const { task } = await load({ 'task.toml': TOML, 'almost-right/solve.sh': 'true\n' });
  expect(task?.almostRight?.dir).toMatch(/\/almost-right$/);
  const { text } = await load({ 'task.toml': TOML, 'almost-right/other.sh': 'true\n' });
  expect(text).toContain(
    'almost-right error: almost-right/ holds a solution that is wrong in one point, and it has no solve.sh',
  );
});
