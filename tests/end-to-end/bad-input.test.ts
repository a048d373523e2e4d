import { describe, expect, test } from 'vitest';
import { makeRig, NO_ENGINE, type Rig } from '../support/rig.ts';

const GOOD = 'configurations: [{ harness: oracle }]\n';
const TASK = (lines: string) =>
  `schemaVersion: 1\ntitle: Answer\ndomain: natural-science\ncapability: answering\ndifficulty: core\n${lines}`;
const OUTPUTS = 'verifier: { outputs: [/workspace/out] }\n';

/** A fault of a user's, where it must be named, what must be said of it, and how it is mended. */
interface Case {
  readonly what: string;
  readonly spoil: (rig: Rig) => Promise<unknown>;
  /** `file:line:column`, as far as a place can be told. */
  readonly where: string;
  readonly says: RegExp;
  readonly repair: RegExp;
}

const experiment = (lines: string) => (rig: Rig) => rig.addExperiment('demo', lines);
const longId = 'a'.repeat(200);

const CASES: readonly Case[] = [
  {
    what: 'an unknown key in the experiment',
    spoil: experiment(`${GOOD}trails: 3\n`),
    where: 'experiments/demo.yaml:5:1',
    says: /"?trails"?/,
    repair: /did you mean "?trials"?/i,
  },
  {
    what: 'an unknown key in a task',
    spoil: (rig) => rig.write({ 'tasks/answer/task.yaml': TASK(`${OUTPUTS}timeout: 5m\n`) }),
    where: 'tasks/answer/task.yaml:7:1',
    says: /"?timeout"?/,
    repair: / repair: ./,
  },
  {
    what: 'YAML that is none',
    spoil: experiment('configurations: [{ harness: oracle }\ntrials: 3\n'),
    where: 'experiments/demo.yaml:4:17',
    says: /the \[ is never closed/,
    repair: / repair: ./,
  },
  {
    what: 'a Dockerfile that is missing',
    spoil: (rig) =>
      rig.write({
        'tasks/answer/task.yaml': TASK(`environment: { dockerfile: Dockerfile.gpu }\n${OUTPUTS}`),
      }),
    where: 'tasks/answer/task.yaml:6:',
    says: /Dockerfile\.gpu/,
    repair: / repair: ./,
  },
  {
    what: 'a Skill that is named but absent',
    spoil: (rig) => rig.write({ 'tasks/answer/task.yaml': TASK(`skills: [alpah]\n${OUTPUTS}`) }),
    where: 'tasks/answer/task.yaml:6:10',
    says: /there is no Skill "alpah"/,
    repair: /did you mean "?alpha"?/i,
  },
  {
    what: 'two tasks whose ids differ in case only',
    spoil: (rig) => rig.addTask('Answer'),
    where: 'tasks/',
    says: /answer/i,
    repair: /rename/i,
  },
  {
    what: 'one task id in two folders',
    spoil: async (rig) => {
      await rig.write({
        'more/answer/task.yaml': TASK(OUTPUTS),
        'more/answer/instruction.md': 'Answer.\n',
        'more/answer/environment/Dockerfile': 'FROM skillpair/base:1\n',
        'more/answer/solution/solve.sh': 'true\n',
        'more/answer/tests/test_a.py': 'def test_a():\n    pass\n',
      });
      await rig.addExperiment('demo', `${GOOD}tasks: { folders: [../tasks, ../more] }\n`);
    },
    where: 'answer',
    says: /answer/,
    repair: / repair: ./,
  },
  {
    what: 'two configurations of one name',
    spoil: experiment('configurations: [{ harness: oracle }, { harness: oracle }]\n'),
    where: 'experiments/demo.yaml:4:',
    says: /oracle/,
    repair: /name/,
  },
  {
    what: 'no trials',
    spoil: experiment(`${GOOD}trials: 0\n`),
    where: 'experiments/demo.yaml:5:9',
    says: /trials is 0/,
    repair: /at least 1 is needed/,
  },
  {
    what: 'a selection of no task',
    spoil: experiment(`${GOOD}tasks: { include: [nothing-*] }\n`),
    where: 'experiments/demo.yaml:5:',
    says: /nothing-\*/,
    repair: /answer/,
  },
  {
    what: 'a task id with a space',
    spoil: (rig) => rig.addTask('two words'),
    where: 'tasks/two words',
    says: /letters, digits/,
    repair: /rename/i,
  },
  {
    what: 'a task id in other letters',
    spoil: (rig) => rig.addTask('aufgabe-ä-問題'),
    where: 'tasks/aufgabe-ä-問題',
    says: /letters, digits/,
    repair: /rename/i,
  },
  {
    what: 'a task id of 200 characters',
    spoil: (rig) => rig.addTask(longId),
    where: `tasks/${longId}`,
    says: /at most 100 characters/,
    repair: / repair: ./,
  },
  {
    what: 'a harness that there is not',
    spoil: experiment('configurations: [{ harness: oracel }]\n'),
    where: 'experiments/demo.yaml:4:29',
    says: /oracel/,
    repair: /oracle/,
  },
];

describe('bad input is met by its place, what is wrong and the repair; nothing is begun', () => {
  test.each(CASES)('$what', async ({ spoil, where, says, repair }) => {
    await using rig = await makeRig();
    await rig.addSkill('alpha');
    await rig.addTask('answer');
    await rig.addExperiment('demo', GOOD);
    await spoil(rig);
    const { code, stdout, stderr } = await rig.run(['run', 'experiments/demo.yaml'], NO_ENGINE);
    expect([code, stdout]).toEqual([2, '']);
    const problems = stderr.split(/^(?=\S.*(?:error|warning|note): )/m);
    const problem = problems.find((one) => one.includes(where)) ?? stderr;
    expect(problem).toContain(where);
    expect(problem).toMatch(says);
    expect(problem).toMatch(repair);
    expect(stderr).not.toMatch(/ at .*\.ts:\d+/);
    expect(await rig.runs()).toEqual([]);
  });

  test('all problems of all files are told at once', async () => {
    await using rig = await makeRig();
    await rig.addTask('one', { skills: ['absent'] });
    await rig.addTask('two', { yaml: 'verfier: {}\n' });
    await rig.addExperiment('demo', 'configurations: [{ harness: oracel }]\n');
    const { code, stderr } = await rig.run(['check', 'experiments/demo.yaml'], NO_ENGINE);
    expect(code).toBe(2);
    for (const file of ['experiments/demo.yaml:4', 'tasks/one/task.yaml:6', 'tasks/two/task.yaml:6'])
      expect(stderr).toContain(file);
  });

  test('a file that a Dockerfile copies and that is not there is met by check and plan, without an engine', async () => {
    await using rig = await makeRig();
    await rig.addSkill('alpha');
    await rig.addTask('answer', { dockerfile: 'FROM skillpair/base:1\nCOPY data.csv /workspace/\n' });
    await rig.addTask('whole');
    await rig.addExperiment('demo', GOOD);
    const says = 'COPY names "data.csv", which is not in the build context';
    const checked = await rig.run(['check', 'experiments/demo.yaml'], NO_ENGINE);
    expect([checked.code, checked.stdout]).toEqual([2, '']);
    expect(checked.stderr).toContain(`tasks/answer/environment/Dockerfile:2 error: ${says}`);
    expect(checked.stderr).toMatch(/repair: add it/);
    const json = await rig.run(['check', 'experiments/demo.yaml', '--json'], NO_ENGINE);
    expect([json.code, json.stdout]).toEqual([2, expect.stringContaining('data.csv') as string]);
    const planned = await rig.run(['plan', 'experiments/demo.yaml'], NO_ENGINE);
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain(`cannot be had: task answer: ${says}`);
    expect(planned.stdout).toMatch(/^4 trials, .*to build, as far as can be told: task whole$/ms);
    const part = await rig.run(['plan', 'experiments/demo.yaml', '--task', 'whole'], NO_ENGINE);
    expect([part.code, part.stderr]).toEqual([0, '']);
  });

  test.each(['Run_1', 'r'.repeat(90), 'a/b', '', '-x'])(
    'a run id like %j is refused before anything is made',
    async (id) => {
      await using rig = await makeRig();
      await rig.addSkill('alpha');
      await rig.addTask('answer');
      await rig.addExperiment('demo', GOOD);
      const { code, stderr } = await rig.run(['run', 'experiments/demo.yaml', `--run-id=${id}`], NO_ENGINE);
      expect(code).toBe(2);
      expect(stderr).toMatch(/--run-id .*\n {2}repair: name the run like demo-1\n/);
      expect(await rig.runs()).toEqual([]);
    },
  );
});
