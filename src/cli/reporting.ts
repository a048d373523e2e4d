import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import type { Measurement } from '../model/measurement.ts';
import type { RunRecord } from '../model/run-record.ts';
import { measure } from '../measure/measure.ts';
import { readRun } from '../record/read-run.ts';
import { renderReports } from '../report/render-reports.ts';

/** A run read back from its folder, measured, and its reports as files. Needs no engine. */
export async function writeReports(
  runDir: string,
  options: { readonly out?: string; readonly junitBaseline: 'failure' | 'pass-with-note' },
): Promise<{ readonly record: RunRecord; readonly measurement: Measurement; readonly outDir: string }> {
  const record = await readRun(runDir);
  const measurement = measure(record);
  const outDir = options.out ?? join(runDir, 'reports');
  for (const { path, content } of renderReports(record, measurement, { junitBaseline: options.junitBaseline })) {
    const target = join(outDir, path);
    await mkdir(dirname(target), { recursive: true });
    await atomicWrite(target, content);
  }
  return { record, measurement, outDir };
}
