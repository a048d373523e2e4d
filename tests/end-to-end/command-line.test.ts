import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRig, NO_ENGINE, type Rig } from '../support/rig.ts';

const root = join(import.meta.dirname, '../..');

/** Task, condition, index and configuration of each row of the table, whatever it is drawn with. */
function rowsOf(table: string): string[][] {
  const row = /\b(answer|other)\b\W+(no-skills|with-skills)\W+(\d)\W+(oracle)\b/g;
  return [...table.matchAll(row)].map((found) => found.slice(1));
}

describe('the command line, without an engine', () => {
  let rig: Rig;
  let experiment: string;
  beforeAll(async () => {
    rig = await makeRig();
    await rig.addSkill('alpha');
    await rig.addTask('answer');
    await rig.addTask('other');
    experiment = await rig.addExperiment(
      'demo',
      'configurations: [{ harness: oracle }]\ntrials: 2\nseed: 7\n',
    );
  });
  afterAll(() => rig[Symbol.asyncDispose]());
  const skillpair = (...args: string[]) => rig.run(args, NO_ENGINE);

  test('tells its version, as package.json has it', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await skillpair('--version')).toEqual({
      code: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  test.each([['--help'], ['help']])(
    '%s names every command and every exit code on standard output',
    async (flag) => {
      const { code, stdout, stderr } = await skillpair(flag);
      expect([code, stderr]).toEqual([0, '']);
      for (const name of ['run', 'resume', 'check', 'plan', 'report', 'doctor', 'clean'])
        expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
      for (const exit of ['0', '1', '2', '3', '4', '130/143']) expect(stdout).toContain(`  ${exit}  `);
    },
  );

  test.each(['run', 'resume', 'check', 'plan', 'report', 'doctor', 'clean'])(
    '%s --help ends with examples that name the command',
    async (name) => {
      const { code, stdout } = await skillpair(name, '--help');
      expect(code).toBe(0);
      expect(stdout.slice(stdout.indexOf('Examples:'))).toContain(` skillpair ${name}`);
    },
  );

  test('without a command shows the help as an error of usage', async () => {
    const { code, stdout, stderr } = await skillpair();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Usage: skillpair/);
  });

  test.each<[string[], string]>([
    [['rum', 'x.yaml'], "error: unknown command 'rum'\n(Did you mean run?)\n"],
    [['plan', 'x.yaml', '--taks', 'a'], "error: unknown option '--taks'\n(Did you mean --task?)\n"],
    [['run'], "error: missing required argument 'experiment'\n"],
    [['run', 'x.yaml', '--concurrency', '0'], 'write a whole number from 1 to 256'],
    [['plan', 'x.yaml', '--shard', '3/2'], 'write i/n with i from 1 to n, as in 2/4'],
    [['plan', 'x.yaml', '--substitute', 'debian'], 'write name=image'],
    [['report', 'x', '--junit-baseline', 'pass'], 'Allowed choices are failure, pass-with-note'],
  ])('%j is refused with what is meant', async (args, says) => {
    const { code, stdout, stderr } = await skillpair(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });

  test('check says what it found', async () => {
    expect(await skillpair('check', experiment)).toEqual({
      code: 0,
      signal: null,
      stdout: 'ok: 2 tasks, 1 configuration\n',
      stderr: '',
    });
  });

  test('check --json is a document also when there are problems', async () => {
    await rig.addExperiment('wrong', 'configurations: [{ harness: oracel }]\n');
    const { code, stdout } = await skillpair('check', 'experiments/wrong.yaml', '--json');
    const { problems } = JSON.parse(stdout) as { problems: { where: { line: number } }[] };
    expect([code, problems[0]?.where.line]).toEqual([2, 4]);
  });

  test('plan is a table whose rows are the trials, arms of a pair adjacent, equal for equal seeds', async () => {
    const [first, second] = await Promise.all([skillpair('plan', experiment), skillpair('plan', experiment)]);
    expect(first).toEqual(second);
    const rows = rowsOf(first?.stdout ?? '');
    expect(rows).toHaveLength(8);
    for (let pair = 0; pair < 8; pair += 2) {
      const [[task, one, index] = [], [task2, two, index2] = []] = [rows[pair], rows[pair + 1]];
      expect([task2, index2]).toEqual([task, index]);
      expect([one, two].sort()).toEqual(['no-skills', 'with-skills']);
    }
    expect(first?.stdout).toContain('to build, as far as can be told: task answer');
  });

  test('plan --json has the same trials in the same order', async () => {
    const { stdout } = await skillpair('plan', experiment, '--json');
    const plan = JSON.parse(stdout) as { seed: number; trials: { id: string }[] };
    const table = (await skillpair('plan', experiment)).stdout;
    expect(plan.seed).toBe(7);
    expect(plan.trials.map(({ id }) => id)).toEqual(rowsOf(table).map((parts) => parts.join('/')));
  });

  test('plan filters by task, condition and shard, and says when nothing is left', async () => {
    const count = async (...flags: string[]) => {
      const { stdout } = await skillpair('plan', experiment, '--json', ...flags);
      return (JSON.parse(stdout) as { trials: unknown[] }).trials.length;
    };
    expect(await count('--task', 'ans*')).toBe(4);
    expect(await count('--condition', 'no-skills')).toBe(4);
    expect(await count('--shard', '1/2')).toBe(4);
    const { code, stderr } = await skillpair('plan', experiment, '--task', 'nothing-*');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: no task is named "nothing-\*"\n {2}repair: choose from: .*\banswer\b.*\n$/,
    );
  });

  test('plan into a reader that closes early ends without a word', async () => {
    await rig.addExperiment('many', 'configurations: [{ harness: oracle }]\ntrials: 1000\n');
    const child = spawn(
      'sh',
      ['-c', '"$0" plan experiments/many.yaml | head -n 1', join(root, 'scripts/skillpair.mjs')],
      {
        cwd: rig.dir,
        env: { ...process.env, ...NO_ENGINE },
      },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect([code, stdout, stderr]).toEqual([
      0,
      '4,000 trials, 2 tasks, 2 conditions, 1 configuration, seed 0\n',
      '',
    ]);
  });

  test.each([['run'], ['clean']])(
    '%s with no engine ends with 3, what was tried, and a repair',
    async (name) => {
      const { code, stderr, stdout } = await skillpair(name, ...(name === 'run' ? [experiment] : []));
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('unix:///nowhere/engine.sock (DOCKER_HOST): there is no such socket');
      expect(stderr).toMatch(/ {2}fix: .*skillpair doctor/);
      expect(await rig.runs()).toEqual([]);
    },
  );

  test('doctor with no engine names it, the repair, and ends with 3', async () => {
    const { code, stdout } = await skillpair('doctor');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^FAIL engine: .*no container engine answers/);
    expect(stdout).toMatch(/fix: start Docker/);
    const json = JSON.parse((await skillpair('doctor', '--json')).stdout) as {
      findings: { state: string }[];
    };
    expect(json.findings.map(({ state }) => state)).toEqual(['fault']);
  });
});
