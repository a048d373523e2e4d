import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import { ImportedResults, type ImportedTrial } from '../model/imported-results.ts';
import { type Outcome, UNSCORED_REASONS } from '../model/outcome.ts';
import type { ImportRecord, Reportable, TrialRecord } from '../model/run-record.ts';
import { trialId } from '../model/trial.ts';
import { onDisk } from './disk-error.ts';
import { runLayout } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { readRun } from './read-run.ts';
import { refuseOccupied } from './run-folder.ts';
import { sealed } from './seal.ts';

/** Makes a folder of imported results, whole or not at all. Rejects with InputError where anything else lies, with DiskError when the disk refuses. */
export async function writeImport(folder: string, imported: ImportedResults): Promise<void> {
  const dir = resolve(folder);
  await refuseOccupied(dir);
  await onDisk(dir, () => mkdir(dir, { recursive: true }));
  const { importFile } = runLayout(dir);
  await onDisk(importFile, () => atomicWrite(importFile, sealed(ImportedResults.parse(imported))));
}

/** A run's folder, or one of imported results, read back. Rejects with InputError as {@link readRun} does. */
export async function readReportable(dir: string): Promise<Reportable> {
  const { importFile: file } = runLayout(dir);
  if (!existsSync(file)) return await readRun(dir);
  const repair = 'import the results again under another name';
  return importRecord(parseRecord(ImportedResults, await readFile(file, 'utf8'), { file, repair }));
}

/** Imported results as a record: trials without attempts, since nobody here saw them. */
export function importRecord(imported: ImportedResults): ImportRecord {
  const { results } = imported;
  const trials = results.kind === 'trials' ? results.trials.map(trialRecord) : [];
  return { imported, trials, notices: [], endedBy: 'done' };
}

function trialRecord(found: ImportedTrial): TrialRecord {
  const { task, condition, configuration, index } = found;
  const parts = { task, condition, configuration, index };
  const trial = { ...parts, id: trialId(parts) };
  return { trial, attempts: [], counted: undefined, outcome: outcomeOf(found) };
}

function outcomeOf({ reward, reason = 'not-told' }: ImportedTrial): Outcome {
  if (reward !== undefined) return { kind: 'scored', verdict: { passed: reward === 1, reward, tests: [] } };
  return { kind: 'unscored', reason, phase: 'collect', detail: UNSCORED_REASONS[reason] };
}
