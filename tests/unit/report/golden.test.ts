import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import { Measurement } from '../../../src/model/measurement.ts';
import type { RunRecord } from '../../../src/model/run-record.ts';
import { renderReports } from '../../../src/report/render-reports.ts';
import { renderSummary } from '../../../src/report/summary-table.ts';
import { goldenRun } from '../../support/golden-run.ts';
import { reportTexts } from '../../support/report-text.ts';

const DIR = join(import.meta.dirname, '../../golden');
const OPTIONS = { runPath: 'runs/synthetic-1' };
/** `UPDATE_GOLDEN=1` writes the stored files anew; read their difference before it is committed. */
const isUpdate = process.env.UPDATE_GOLDEN === '1';

/** The stored run is read from disk, as a report made from a run folder is; it was written by goldenRun(). */
function storedRun(): RunRecord {
  const stored = JSON.parse(readFileSync(join(DIR, 'run-record.json'), 'utf8')) as {
    rest: Omit<RunRecord, 'trials'>;
    trials: RunRecord['trials'];
  };
  return { ...stored.rest, trials: stored.trials };
}

async function allReports(run: RunRecord): Promise<Map<string, string>> {
  const measurement = measure(run);
  const texts = await reportTexts(renderReports(run, measurement, OPTIONS));
  return texts.set('summary.txt', renderSummary(run, measurement, OPTIONS));
}

describe('the reports of the stored run', () => {
  if (isUpdate) writeFileSync(join(DIR, 'run-record.json'), lineByLine(goldenRun()));

  it('come from what the documented generator makes', () => {
    expect(storedRun()).toEqual(JSON.parse(JSON.stringify(goldenRun())));
  });

  it('are byte-equal to the stored ones', async () => {
    const texts = await allReports(storedRun());
    if (isUpdate) write(texts);
    const stored = readdirSync(join(DIR, 'reports'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(DIR.length + '/reports/'.length));
    expect(stored.sort()).toEqual([...texts.keys()].sort());
    for (const [path, text] of texts)
      expect(text, path).toBe(readFileSync(join(DIR, 'reports', path), 'utf8'));
  });

  it('are the same when they are made twice', async () => {
    expect(await allReports(goldenRun())).toEqual(await allReports(goldenRun()));
  });

  it('hold a measurement.json that the schema reads back', async () => {
    const texts = await allReports(storedRun());
    expect(Measurement.parse(JSON.parse(texts.get('measurement.json') ?? ''))).toEqual(measure(storedRun()));
  });

  it('name no undefined figure and no NaN', async () => {
    for (const [path, text] of await allReports(storedRun()))
      expect({ path, bad: text.match(/\bNaN\b|undefined%|Infinity/) }).toEqual({ path, bad: null });
  });
});

function write(texts: ReadonlyMap<string, string>): void {
  rmSync(join(DIR, 'reports'), { recursive: true, force: true });
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(DIR, 'reports', path)), { recursive: true });
    writeFileSync(join(DIR, 'reports', path), text);
  }
}

/** JSON with a line per trial, so that a difference shows which one changed. */
function lineByLine({ trials, ...rest }: RunRecord): string {
  const lines = trials.map((record) => JSON.stringify(record)).join(',\n');
  return `{"rest":${JSON.stringify(rest)},\n"trials":[\n${lines}\n]}\n`;
}
