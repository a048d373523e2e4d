import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import type { RunRecord } from '../../../src/model/run-record.ts';
import { renderSummary } from '../../../src/report/summary-table.ts';
import { goldenRun } from '../../support/golden-run.ts';
import { runOf, syntheticRun, unscored, verdict } from '../../support/synthetic-run.ts';

const summary = (run: RunRecord) => renderSummary(run, measure(run), { runPath: 'runs/synthetic-1' });

describe('the terminal summary', () => {
  it('names what is unscored and what got worse, and ends with the command that continues', () => {
    const text = summary(goldenRun());
    expect(text).toContain('planned 60 = scored 56 + unscored 4; unscored: not-run 2, runtime-lost 2');
    expect(text).toContain('T4/no-skills/2/literal (runtime-lost)');
    expect(text).toContain('worse with Skills: T3 (literal)');
    expect(text.trimEnd().split('\n').at(-1)).toBe('next: npx skillpair resume synthetic-1');
  });

  it('keeps to 24 lines of ASCII, its table to 80 columns, for 18 configurations', () => {
    const text = summary(syntheticRun(2000));
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(text).toMatch(/^[\n -~]*$/);
    const table = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('...')),
    );
    expect(table).toHaveLength(10);
    for (const line of table) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines).toContain('... and 9 more configurations, in report.md');
  });

  it('tells per arm how many of how many have no verdict, and that few tasks only describe', () => {
    const text = summary(goldenRun());
    expect(text).toMatch(/1\/15 1\/15$/m);
    expect(text).toContain('descriptive, fewer than 8 tasks: literal, harness@model-4.5');
  });

  it('gives the range of the gain, and no bounds of the normalized gain that bound nothing', () => {
    const text = summary(
      runOf({ tasks: ['A', 'B'] }, ({ task }) => ({
        outcome: task === 'A' ? verdict(false) : unscored('start-failed'),
      })),
    );
    expect(text).toContain(
      'gain can lie in: literal [-50.0, +50.0] (both arms counted alike: 0.0 pp as failed, 0.0 pp as passed)\n',
    );
    expect(text).toMatch(/0\.0\.\.50\.0 +0\.0\.\.50\.0 +n\/a +range below /);
  });

  it('has no command to give when everything has a verdict', () => {
    const text = summary(runOf({ tasks: ['A'] }, () => ({ outcome: verdict(true) })));
    expect(text).not.toContain('next:');
    expect(text).toContain('report: runs/synthetic-1/reports/report.md');
  });

  it('says that an arm was not planned', () => {
    expect(
      summary(runOf({ tasks: ['A'], conditions: ['with-skills'] }, () => ({ outcome: verdict(true) }))),
    ).toContain('not planned');
  });
});
