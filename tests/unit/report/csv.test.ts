import { describe, expect, it } from 'vitest';
import { CSV_COLUMNS, csvCell, renderCsv } from '../../../src/report/csv.ts';
import { goldenRun } from '../../support/golden-run.ts';
import { modelUse } from '../../support/model-use.ts';
import { reportTexts } from '../../support/report-text.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

describe('csvCell', () => {
  it('quotes commas, quotes and newlines as RFC 4180 says', () => {
    expect(['plain', 'a,b', 'say "x"', 'two\nlines'].map(csvCell)).toEqual([
      'plain',
      '"a,b"',
      '"say ""x"""',
      '"two\nlines"',
    ]);
  });

  it('puts an apostrophe before text that a spreadsheet would run', () => {
    expect(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'].map(csvCell)).toEqual([
      `"'=1+1"`,
      `"'+1"`,
      `"'-1"`,
      `"'@SUM(A1)"`,
      `"'\t=1"`,
      `"'\n=1"`,
    ]);
  });

  it('leaves numbers numbers and absent values empty', () => {
    expect([-1.5, 0, true, undefined, null].map(csvCell)).toEqual(['-1.5', '0', 'true', '', '']);
  });
});

describe('trials.csv', () => {
  it('has one row per planned trial, each with every column', async () => {
    const text = (await reportTexts([renderCsv(goldenRun())])).get('trials.csv') ?? '';
    const rows = parsed(text);
    expect(rows).toHaveLength(61);
    expect(rows[0]).toEqual(CSV_COLUMNS.map((column) => column.name));
    for (const row of rows) expect(row).toHaveLength(CSV_COLUMNS.length);
    const notRun = rows.find((row) => row[1] === 't4/with-skills/3/literal');
    expect(notRun?.slice(8, 14)).toEqual(['unscored', '', '', 'not-run', 'start', 'the run was interrupted']);
  });

  it('tells what failed, which Skills were used and where the evidence is', async () => {
    const run = runOf({ tasks: ['A'], conditions: ['with-skills'] }, () => ({
      outcome: verdict(false, [{ name: 't.py::test_a', message: '3 != 4\nmore' }]),
      skillUse: [
        { skill: 'alpha', use: 'used' },
        { skill: 'beta', use: 'cannot-tell' },
      ],
    }));
    const [, row] = parsed((await reportTexts([renderCsv(run)])).get('trials.csv') ?? '');
    expect(row?.slice(-12)).toEqual([
      'test_a',
      '3 != 4',
      'alpha: used; beta: cannot tell',
      '',
      'trials/A/with-skills/1/literal/1',
      ...['', '', '', '', '', '', ''],
    ]);
  });

  it('tells what the attempt that counts asked of models, and the money of it and of all', async () => {
    const run = runOf({ tasks: ['A'], conditions: ['with-skills'] }, () => ({
      outcome: verdict(true),
      attempts: ['runtime-lost'],
      earlierModelUse: modelUse({ usage: { input: 1_000_000, output: 0 } }),
      modelUse: modelUse({
        requests: 7,
        usage: { input: 2_000_000, cachedInput: 1_000_000, output: 100_000 },
      }),
    }));
    const [head, row] = parsed((await reportTexts([renderCsv(run)])).get('trials.csv') ?? '');
    const found = Object.fromEntries((head ?? []).map((name, column) => [name, row?.[column]]));
    expect(found).toMatchObject({
      model_requests: '7',
      input_tokens: '2000000',
      cached_input_tokens: '1000000',
      output_tokens: '100000',
      served_model: 'claude-sonnet-4-20250514',
    });
    // A million plain at 3, one cached at 0.3, 0.1 million written at 15 dollars; before it a million at 3.
    expect(Number(found.usd)).toBeCloseTo(3 + 0.3 + 1.5, 9);
    expect(Number(found.usd_all_attempts)).toBeCloseTo(3 + 0.3 + 1.5 + 3, 9);
  });

  it('leaves money empty that is unknown in part, and the tokens that nobody counted', async () => {
    const run = runOf({ tasks: ['A'], conditions: ['with-skills'] }, () => ({
      outcome: verdict(true),
      attempts: ['runtime-lost'],
      earlierModelUse: modelUse({ servedModels: ['no-such-model'] }),
      modelUse: modelUse({ usage: { input: 1_000_000, output: 0 } }),
    }));
    const [, row] = parsed((await reportTexts([renderCsv(run)])).get('trials.csv') ?? '');
    expect(row?.slice(-7)).toEqual(['1', '1000000', '', '0', '3', '', 'claude-sonnet-4-20250514']);
  });
});

/** A reader of RFC 4180, written from its grammar. */
function parsed(text: string): string[][] {
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(field)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}
