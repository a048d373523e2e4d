import { describe, expect, test } from 'vitest';
import {
  type CorpusTask,
  type CorpusTrial,
  corpusCounts,
  corpusTable,
} from '../../../scripts/corpus-table.ts';

function trial(column: CorpusTrial['column'], result: string, more: Partial<CorpusTrial> = {}): CorpusTrial {
  return {
    task: 'demo',
    run: 'one',
    column,
    startedAt: '2026-01-01T00:00:00.000Z',
    result,
    ending: undefined,
    strayedSkills: column === 'oracle with-skills' ? undefined : 0,
    agentSeconds: 2.4,
    verifySeconds: 61.6,
    ...more,
  };
}

function task(more: Partial<CorpusTask> = {}): CorpusTask {
  return {
    id: 'demo',
    refusals: [],
    lackedImages: [],
    note: undefined,
    buildSeconds: undefined,
    trials: [],
    ...more,
  };
}

const lines = (...tasks: readonly CorpusTask[]) => corpusTable(tasks).slice(2);

describe('the table of a corpus', () => {
  test('has verdicts of all columns and the seconds of the oracle with Skills', () => {
    const trials = [
      trial('oracle with-skills', 'passed'),
      trial('oracle no-skills', 'failed', { agentSeconds: 9 }),
      trial('nop', 'failed'),
    ];
    expect(lines(task({ buildSeconds: 12.2, trials }))).toEqual([
      '| demo | passed | failed | failed | 12 s | 2 s | 62 s | one |  |',
    ]);
  });

  test('counts several trials of one run, and goes by the newest run', () => {
    const later = { run: 'two', startedAt: '2026-01-02T00:00:00.000Z' };
    const trials = [
      trial('oracle with-skills', 'build-failed'),
      trial('oracle with-skills', 'passed', later),
      trial('oracle with-skills', 'failed', later),
      trial('nop', 'failed', later),
      trial('nop', 'failed', later),
    ];
    expect(lines(task({ trials }))).toEqual([
      '| demo | passed 1 of 2 |  | failed |  | 2 s | 62 s | two |  |',
    ]);
  });

  test('tells an oracle that was cut off from one that is wrong', () => {
    const trials = [trial('oracle with-skills', 'failed', { ending: 'timed-out' })];
    expect(lines(task({ trials }))).toEqual(['| demo | failed, timed-out |  |  |  | 2 s | 62 s | one |  |']);
  });

  test('says of a task that was not tried what it needs', () => {
    expect(
      lines(
        task({ id: 'd' }),
        task({ id: 'c', lackedImages: ['a/b:1'] }),
        task({ id: 'b', refusals: ['no <file>', 'and no reward'], lackedImages: ['a/b:1'] }),
        task({ id: 'a', note: 'its oracle asks example.org', lackedImages: ['a/b:1'] }),
      ).map((line) => line.split(' | ').at(-1)),
    ).toEqual([
      'not tried here: needs the image a/b:1; its oracle asks example.org |',
      'cannot run: no \\<file\\> (and 1 more) |',
      'not tried here: needs the image a/b:1 |',
      'not tried here: needs time |',
    ]);
  });
});

describe('the counts of a corpus', () => {
  test('tell apart verdicts as hoped for, other verdicts, no verdict and tasks that were not tried', () => {
    const nop = trial('nop', 'failed');
    const counts = corpusCounts('a corpus', [
      // Its oracle needs the Skills.
      task({
        id: 'needy',
        trials: [trial('oracle with-skills', 'passed'), trial('oracle no-skills', 'failed'), nop],
      }),
      // It has no Skills.
      task({ trials: [trial('oracle no-skills', 'passed'), nop] }),
      task({ trials: [trial('oracle with-skills', 'failed'), nop] }),
      task({ trials: [trial('oracle with-skills', 'passed'), trial('nop', 'passed')] }),
      task({ trials: [trial('oracle with-skills', 'passed'), trial('nop', 'verifier-error')] }),
      task({ trials: [nop] }),
      task({ refusals: ['no'], lackedImages: ['a'] }),
      task({ lackedImages: ['a'] }),
      task(),
    ]);
    expect(counts.map((line) => line.match(/\d+/g)?.map(Number) ?? [])).toEqual([
      [9, 6],
      [2],
      [2],
      [],
      [8, 0],
      [2],
      [1, 1, 1],
    ]);
    expect(counts[3]).toMatch(/Skills alone: needy\.$/);
  });

  test('tell of Skills that reached a container that should have none', () => {
    const stray = trial('nop', 'failed', { strayedSkills: 2 });
    const counts = corpusCounts('a corpus', [
      task({ trials: [stray, trial('oracle with-skills', 'passed')] }),
    ]);
    expect(counts[4]).toMatch(/the 1 trials without Skills: 2\.$/);
  });
});
