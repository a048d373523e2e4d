import { describe, expect, it } from 'vitest';
import { parseResults } from '../../../src/load/results-csv.ts';

const HEAD = 'task,harness,model,condition,trials,mean_reward,passes';
const GOOD = 'a,Claude Code,Opus 4.7,no-skills,3,0.333333,1';

function read(text: string) {
  const found = parseResults(text, 'results.csv');
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
}

/** Line, message and repair of what is wrong. */
function problems(text: string) {
  const found = parseResults(text, 'results.csv');
  if (found.ok) throw new Error('it was accepted');
  return found.error.map(({ where, message, repair }) => ({ line: where?.line, message, repair }));
}

describe('parseResults', () => {
  it('reads means of trials, and names a configuration after its harness and model', () => {
    expect(read(`${HEAD}\n${GOOD}\n`)).toEqual({
      rows: 1,
      ignored: [],
      configurations: [{ name: 'Claude-Code@Opus-4.7', harness: 'Claude Code', model: 'Opus 4.7' }],
      results: {
        kind: 'averages',
        averages: [
          {
            task: 'a',
            condition: 'no-skills',
            configuration: 'Claude-Code@Opus-4.7',
            trials: 3,
            meanReward: 0.333333,
            passes: 1,
          },
        ],
      },
    });
  });

  it('reads a trial a row, also without a verdict, and leaves a reason out that is not told', () => {
    const { results, configurations } = read(
      'task,condition,configuration,index,reward,reason\na,no-skills,x@y,1,0.5,\na,no-skills,x@y,2,,runtime-lost\na,no-skills,x@y,3,,\n',
    );
    expect(configurations).toEqual([{ name: 'x@y' }]);
    const common = { task: 'a', condition: 'no-skills', configuration: 'x@y' };
    expect(results).toEqual({
      kind: 'trials',
      trials: [
        { ...common, index: 1, reward: 0.5 },
        { ...common, index: 2, reason: 'runtime-lost' },
        { ...common, index: 3 },
      ],
    });
  });

  it('takes a byte order mark, CRLF, quotes, blank lines and columns in another order', () => {
    const text =
      '\uFEFFmean_reward,trials,Condition,model,harness,task\r\n0,3,no-skills,"M, ""one""",h,a\r\n\r\n1,3,with-skills,"M, ""one""",h,a\n';
    const { configurations, rows } = read(text);
    expect(rows).toBe(2);
    expect(configurations).toEqual([{ name: 'h@M-one', harness: 'h', model: 'M, "one"' }]);
  });

  it('says which columns it did not read', () => {
    expect(read(`${HEAD},note\n${GOOD},x\n`).ignored).toEqual(['note']);
  });

  it.each<[string, string, number, RegExp, RegExp]>([
    [
      'a missing column',
      'task,harness,condition,trials,mean_rewards\na,h,no-skills,3,1',
      1,
      /no column "mean_reward"/,
      /did you mean/,
    ],
    ['no rows', HEAD, 1, /no rows/, /add a row/],
    ['an empty file', '', 1, /no head/, /names of the columns/],
    ['a column twice', `${HEAD},task\n${GOOD},a`, 1, /"task" stands twice/, /remove or rename/],
    [
      'a row with a cell too few',
      `${HEAD}\n${GOOD}\na,h,m,no-skills,3,1`,
      3,
      /6 cells and the head 7/,
      /quote one/,
    ],
    ['an open quote', `${HEAD}\n"a,h,m,no-skills,3,1,1`, 2, /never closed/, /close it/],
    ['a bad task id', `${HEAD}\n../a,h,m,no-skills,3,1,3`, 2, /cannot be a task id/, /letters, digits/],
    [
      'an unknown condition',
      `${HEAD}\na,h,m,with-skill,3,1,3`,
      2,
      /no condition "with-skill"/,
      /"with-skills"/,
    ],
    [
      'a mean in percent',
      `${HEAD}\na,h,m,no-skills,3,33.3,1`,
      2,
      /mean_reward is "33.3"/,
      /divide percentages/,
    ],
    ['a mean with a comma', `${HEAD}\na,h,m,no-skills,3,"0,5",1`, 2, /mean_reward is "0,5"/, /with a point/],
    ['no trials', `${HEAD}\na,h,m,no-skills,0,0,0`, 2, /trials is 0/, /from 1/],
    ['half a trial', `${HEAD}\na,h,m,no-skills,1.5,0,0`, 2, /trials is "1.5"/, /digits alone/],
    [
      'more passes than the mean has room for',
      `${HEAD}\na,h,m,no-skills,3,0.333333,2`,
      2,
      /leaves room for 1/,
      /correct passes/,
    ],
    ['a result twice', `${HEAD}\n${GOOD}\n${GOOD}`, 3, /stands on line 2 already/, /leave one/],
    [
      'two configurations of one name',
      `${HEAD}\n${GOOD}\nb,Claude-Code,Opus 4.7,no-skills,3,0,0`,
      3,
      /would both be named/,
      /"configuration"/,
    ],
  ])('tells %s with its line and a repair', (_what, text, line, message, repair) => {
    const [first] = problems(text);
    expect(first?.line).toBe(line);
    expect(first?.message).toMatch(message);
    expect(first?.repair).toMatch(repair);
  });

  it('tells every bad row, and after twenty how many are left', () => {
    const rows = Array.from({ length: 25 }, (_, at) => `t${at},h,m,no-skills,x,0,0`);
    const found = problems([HEAD, ...rows].join('\n'));
    expect(found.map(({ line }) => line).slice(0, 3)).toEqual([2, 3, 4]);
    expect(found).toHaveLength(21);
    expect(found.at(-1)?.message).toBe('and 5 more problems in this file');
  });
});
