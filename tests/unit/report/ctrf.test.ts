import { describe, expect, it } from 'vitest';
import { renderCtrf } from '../../../src/report/ctrf.ts';
import { reportTexts } from '../../support/report-text.ts';
import { runOf, syntheticRun, unscored, verdict } from '../../support/synthetic-run.ts';

interface Ctrf {
  reportFormat: string;
  specVersion: string;
  results: {
    tool: { name: string };
    summary: Record<
      'tests' | 'passed' | 'failed' | 'other' | 'skipped' | 'pending' | 'start' | 'stop',
      number
    >;
    tests: { name: string; status: string; duration: number; [more: string]: unknown }[];
  };
}

async function ctrfOf(record: Parameters<typeof renderCtrf>[0], options = {}): Promise<Ctrf> {
  const texts = await reportTexts([renderCtrf(record, { runPath: 'runs/synthetic-1', ...options })]);
  return JSON.parse(texts.get('ctrf.json') ?? '') as Ctrf;
}

describe('ctrf.json', () => {
  it('has a test for each trial, and a summary that adds up to them', async () => {
    const run = syntheticRun(250);
    const { reportFormat, specVersion, results } = await ctrfOf(run);
    expect([reportFormat, specVersion]).toEqual(['CTRF', '1.0.0']);
    expect(results.tests).toHaveLength(run.trials.length);
    const { tests, passed, failed, other, skipped, pending, start, stop } = results.summary;
    expect([tests, passed + failed + other, skipped, pending]).toEqual([tests, run.trials.length, 0, 0]);
    for (const [status, count] of Object.entries({ passed, failed, other }))
      expect(results.tests.filter((test) => test.status === status)).toHaveLength(count);
    expect(Number.isInteger(start) && Number.isInteger(stop) && start <= stop).toBe(true);
    expect(new Set(results.tests.map(({ name }) => name)).size).toBe(tests);
  });

  it('says of a failed trial which checks failed, and of one without a verdict why, and what was tried before', async () => {
    const run = runOf({ tasks: ['a', 'b', 'c'], conditions: ['with-skills'] }, ({ task }) => {
      if (task === 'a')
        return { outcome: verdict(false, [{ name: 't.py::test_sum', message: 'got 4\u0000\ud800' }]) };
      if (task === 'b') return { outcome: unscored('start-failed'), attempts: ['runtime-lost'] };
      return { outcome: unscored('not-run') };
    });
    const [failed, other, never] = (await ctrfOf(run)).results.tests;
    expect(failed).toMatchObject({
      name: 'a / with-skills / trial 1 / literal',
      status: 'failed',
      suite: ['literal', 'with-skills', 'a'],
      message: expect.stringContaining('test_sum'),
      trace: expect.stringContaining('got 4'),
      labels: { task: 'a', condition: 'with-skills', configuration: 'literal', trial: 1, reward: 0 },
      extra: { attempt: 'runs/synthetic-1/trials/a/with-skills/1/literal/1' },
    });
    expect(other).toMatchObject({
      status: 'other',
      rawStatus: 'start-failed',
      retries: 1,
      retryAttempts: [{ attempt: 1, status: 'other', message: expect.stringContaining('runtime-lost') }],
    });
    expect(other).not.toHaveProperty('flaky');
    expect(never).toMatchObject({ status: 'other', rawStatus: 'not-run', duration: 0 });
    expect(never).not.toHaveProperty('start');
  });

  it('is valid without any trial', async () => {
    const { results } = await ctrfOf(runOf({ tasks: [] }, () => ({ outcome: verdict(true) })));
    expect(results.tests).toEqual([]);
    expect(results.summary).toMatchObject({ tests: 0, start: results.summary.stop });
  });
});
