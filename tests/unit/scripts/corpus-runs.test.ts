import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCorpusRuns } from '../../../scripts/corpus-runs.ts';
import type { RunRecord } from '../../../src/model/run-record.ts';
import { openRun } from '../../../src/record/run-folder.ts';
import { storeRun } from '../../support/stored-run.ts';
import { runOf, unscored, verdict } from '../../support/synthetic-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const fail = (error: Error) => {
  throw error;
};

async function store(runs: string, name: string, record: RunRecord, builds: readonly [string, number][]) {
  const dir = join(runs, name);
  await storeRun(dir, record);
  await using folder = await openRun({ dir, onBroken: fail });
  for (const [what, durationMs] of builds)
    folder.journal.append({
      kind: 'build-ended',
      at: record.lock.createdAt,
      what,
      durationMs,
      cached: false,
    });
  const cached = { durationMs: 999_000, cached: true };
  folder.journal.append({ kind: 'build-ended', at: record.lock.createdAt, what: 'task image a', ...cached });
}

test('runs tell verdicts of oracle and nop by column, seconds, and the longest build of each image', async () => {
  await using folder = await temporaryFolder();
  const first = runOf({ tasks: ['a'], configurations: ['oracle', 'nop', 'literal'] }, (trial) => ({
    outcome: verdict(trial.configuration === 'oracle' && trial.condition === 'with-skills'),
    ending: trial.configuration === 'oracle' && trial.condition === 'no-skills' ? 'timed-out' : 'completed',
    durationMs: 4_200,
  }));
  const second = runOf({ tasks: ['b'], configurations: ['oracle'] }, ({ condition }) => ({
    outcome: unscored(condition === 'no-skills' ? 'cancelled' : 'build-failed'),
  }));
  const later = { ...second, lock: { ...second.lock, createdAt: '2026-11-29T22:00:00.000Z' } };
  await store(folder.path, 'a-later', later, [['task image b', 1_000]]);
  await store(folder.path, 'b-first', first, [
    ['task image a', 2_000],
    ['task image a', 61_000],
    ['harness oracle', 5_000],
  ]);

  const { trials, builds, records } = await readCorpusRuns(folder.path);
  expect(records.map(({ lock }) => lock.createdAt)).toEqual([first.lock.createdAt, later.lock.createdAt]);
  expect([...builds].sort()).toEqual([
    ['a', 61],
    ['b', 1],
  ]);
  expect(trials.map(({ task, column, result, ending }) => [task, column, result, ending])).toEqual([
    ['a', 'oracle no-skills', 'failed', 'timed-out'],
    ['a', 'oracle with-skills', 'passed', undefined],
    ['a', 'nop', 'failed', undefined],
    ['a', 'nop', 'failed', undefined],
    ['b', 'oracle with-skills', 'build-failed', undefined],
  ]);
  expect(trials[0]).toMatchObject({ agentSeconds: 4, verifySeconds: 0, strayedSkills: 0 });
  expect(trials[1]?.strayedSkills).toBeUndefined();
});
