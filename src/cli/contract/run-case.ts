import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { RunRecord } from '../../model/run-record.ts';
import { Trajectory } from '../../model/trajectory.ts';
import { attemptLayout } from '../../record/layout.ts';
import { readRun } from '../../record/read-run.ts';
import { makeRunId } from '../../record/run-id.ts';
import type { CheckRow } from '../../report/check-table.ts';
import { runCommand } from '../commands/run.ts';
import type { Environment } from '../environment.ts';
import { caseFinding } from './case-finding.ts';
import { type CaseFrom, writeCaseFiles } from './contract-files.ts';
import { trialDetail } from './trial-detail.ts';

/**
 * Runs one case as any experiment is run, in a folder below `dir`. Rejects as `run` does where no trial could be started for reasons
 * that are not the harness's.
 */
export async function runCase(environment: Environment, dir: string, from: CaseFrom): Promise<CheckRow> {
  const { contractCase, harness, canary } = from;
  const { name, tells } = contractCase;
  const caseDir = join(dir, name);
  await mkdir(caseDir);
  const experimentPath = await writeCaseFiles(caseDir, from);
  const runId = makeRunId(`check-${name}`, environment.now(), randomBytes(2).toString('hex'));
  const output = await runQuietly(environment, [experimentPath, caseDir, runId]);
  const runDir = join(caseDir, runId);
  const counted = (await readRun(runDir)).trials[0]?.counted;
  const expected = contractCase.expected(harness.manifest);
  if (counted === undefined) return { name, expected, found: 'no trial', ok: false, detail: output.trim() };
  const trajectory = await trajectoryOf(runDir, counted);
  const found = caseFinding(tells, { record: counted, trajectory, canary });
  const ok = expected.includes(found);
  const detail = ok ? {} : { detail: await trialDetail(attemptDir(runDir, counted), counted) };
  const isRead = counted.agent !== undefined && harness.manifest.trajectory !== 'none';
  const reader = isRead ? { reader: counted.harnessFault?.reason ?? 'no fault' } : {};
  return { name, expected, found, ok, ...reader, ...detail };
}

/** What the run would have printed. Its exit code says no more than its record. */
async function runQuietly(
  environment: Environment,
  [experimentPath, runs, runId]: readonly [string, string, string],
): Promise<string> {
  const sink = new PassThrough();
  const silent = { stream: sink, isTty: false, columns: 120 };
  const output = text(sink);
  const flags = { runs, runId, junitBaseline: 'failure', quiet: true, json: false } as const;
  try {
    await runCommand({ ...environment, stdout: silent, stderr: silent }, [experimentPath], flags);
    sink.end();
    return await output;
  } finally {
    sink.end();
  }
}

type Counted = NonNullable<RunRecord['trials'][number]['counted']>;

function attemptDir(runDir: string, { trial, attempt }: Counted): string {
  return attemptLayout(runDir, trial, attempt).dir;
}

async function trajectoryOf(runDir: string, counted: Counted): Promise<Trajectory | undefined> {
  const path = join(attemptDir(runDir, counted), 'agent', 'trajectory.json');
  const written = await readFile(path, 'utf8').catch(() => undefined);
  return written === undefined ? undefined : Trajectory.parse(JSON.parse(written));
}
