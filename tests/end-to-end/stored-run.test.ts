import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goldenRun } from '../support/golden-run.ts';
import { makeRig, NO_ENGINE, type Rig } from '../support/rig.ts';
import { storeRun } from '../support/stored-run.ts';
import { runOf, unscored, verdict } from '../support/synthetic-run.ts';

const REPORTS = ['junit.xml', 'report.md', 'trials.csv', 'measurement.json'];
const reportsOf = (dir: string) => Promise.all(REPORTS.map((name) => readFile(join(dir, name), 'utf8')));

async function withRun(id: string, record = goldenRun()): Promise<{ rig: Rig; dir: string }> {
  const rig = await makeRig();
  const dir = join(rig.dir, 'runs', id);
  await storeRun(dir, record);
  return { rig, dir };
}

describe('report of a stored run, without an engine', () => {
  test('writes every report and prints the table; twice gives the same bytes', async () => {
    const { rig, dir } = await withRun('golden');
    await using _rig = rig;
    const first = await rig.run(['report', 'golden'], NO_ENGINE);
    const files = await reportsOf(join(dir, 'reports'));
    const second = await rig.run(['report', '@latest', '--out', 'elsewhere'], NO_ENGINE);
    const elsewhere = join(rig.dir, 'elsewhere');
    expect(second.stdout.replaceAll(elsewhere, 'runs/golden/reports')).toBe(first.stdout);
    expect(await reportsOf(elsewhere)).toEqual(files);
    // The golden run was interrupted: it has trials without a verdict.
    expect(first.code).toBe(4);
    expect(first.stderr).toContain(`reports: ${join(dir, 'reports')}`);
  });

  test('--json is the measurement alone', async () => {
    const { rig, dir } = await withRun('golden');
    await using _rig = rig;
    const { stdout, code } = await rig.run(['report', dir, '--json'], NO_ENGINE);
    const { counts } = JSON.parse(stdout) as {
      counts: { planned: number; scored: number; unscored: number };
    };
    expect([code, counts.planned]).toEqual([4, 60]);
    expect(counts.scored + counts.unscored).toBe(60);
  });

  test.each<[string, Parameters<typeof runOf>[0]['gates'], boolean, number]>([
    ['0 when all is scored and there is no gate', {}, true, 0],
    ['0 when the gates hold', { minGain: 1 }, true, 0],
    ['1 when a gate fails', { minPassRate: 1, minGain: 1 }, false, 1],
  ])('ends with %s', async (_what, gates, passes, expected) => {
    const record = runOf(
      { tasks: ['a', 'b'], gates: gates ?? {}, endedBy: 'done' },
      ({ condition, task }) => ({
        outcome: verdict(condition === 'with-skills' && (passes || task === 'a')),
      }),
    );
    const { rig } = await withRun('gated', record);
    await using _rig = rig;
    expect((await rig.run(['report', 'gated'], NO_ENGINE)).code).toBe(expected);
  });

  test('ends with 4 and the command that goes on when a trial has no verdict, whatever the gates say', async () => {
    const record = runOf({ tasks: ['a', 'b'], gates: { minGain: 1 }, endedBy: 'unfinished' }, ({ task }) => ({
      outcome: task === 'a' ? verdict(true) : unscored('not-run', 'never began'),
    }));
    const { rig } = await withRun('unfinished', record);
    await using _rig = rig;
    const { code, stdout, stderr } = await rig.run(['report', 'unfinished'], NO_ENGINE);
    expect(code).toBe(4);
    expect(stdout + stderr).toMatch(/skillpair resume \S*unfinished/);
  });

  test('takes the verdicts from a pair whose arms were not alike, in every report', async () => {
    const whole = runOf({ tasks: ['a', 'b'] }, () => ({ outcome: verdict(true) }));
    const trials = whole.trials.map((record) => {
      const { task, condition } = record.trial;
      if (task !== 'b' || condition !== 'with-skills') return record;
      const attempts = record.attempts.map((attempt) => ({
        ...attempt,
        images: { ...attempt.images, task: 'sha256:anew' },
      }));
      return { ...record, attempts };
    });
    const { rig, dir } = await withRun('unequal', { ...whole, trials });
    await using _rig = rig;
    const { code, stdout, stderr } = await rig.run(['report', 'unequal'], NO_ENGINE);
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('skillpair run ');
    const [junit = '', markdown = '', csv = ''] = await reportsOf(join(dir, 'reports'));
    expect(junit.match(/type="fault.arms-differ"/g)).toHaveLength(2);
    expect(markdown).toContain('sha256:anew here and ');
    expect(csv.match(/arms-differ/g)).toHaveLength(2);
    const { publishable, incompletePairs } = JSON.parse(
      (await rig.run(['report', 'unequal', '--json'], NO_ENGINE)).stdout,
    ) as { publishable: { ok: boolean }; incompletePairs: unknown[] };
    expect([publishable.ok, incompletePairs.length]).toEqual([false, 1]);
  });

  test('finds a run by an unambiguous beginning and lists the runs otherwise', async () => {
    const { rig } = await withRun('alpha-1');
    await using _rig = rig;
    await storeRun(join(rig.dir, 'runs', 'alpha-2'), goldenRun());
    await storeRun(join(rig.dir, 'runs', 'beta'), goldenRun());
    expect((await rig.run(['report', 'be'], NO_ENGINE)).code).toBe(4);
    const ambiguous = await rig.run(['report', 'alpha'], NO_ENGINE);
    expect([ambiguous.code, ambiguous.stderr]).toEqual([
      2,
      'error: "alpha" names 2 runs\n  repair: one of: alpha-1, alpha-2\n',
    ]);
    const absent = await rig.run(['report', 'gamma'], NO_ENGINE);
    expect([absent.code, absent.stderr]).toEqual([
      2,
      expect.stringContaining('repair: one of: alpha-1, alpha-2, beta'),
    ]);
  });

  test('drops a torn last line of the journal with a notice', async () => {
    const { rig, dir } = await withRun('torn');
    await using _rig = rig;
    const path = join(dir, 'events.jsonl');
    await truncate(path, (await readFile(path)).length - 9);
    const { code, stderr } = await rig.run(['report', 'torn'], NO_ENGINE);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^notice: .*torn line/)]);
  });

  test('names the file of damage anywhere else, and writes no report', async () => {
    const { rig, dir } = await withRun('damaged');
    await using _rig = rig;
    const path = join(dir, 'run.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"seed"', '"sead"'));
    const { code, stdout, stderr } = await rig.run(['report', 'damaged'], NO_ENGINE);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('run.json');
    expect(stderr).not.toMatch(/ at .*\.ts:\d+/);
  });
});
