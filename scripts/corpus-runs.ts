import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptRecord } from '../src/model/attempt.ts';
import { RunEvent } from '../src/model/event.ts';
import type { Phase } from '../src/model/phase.ts';
import type { RunRecord, TrialRecord } from '../src/model/run-record.ts';
import { runLayout } from '../src/record/layout.ts';
import { readRun } from '../src/record/read-run.ts';
import type { CorpusTrial } from './corpus-table.ts';

/** What run folders say of tasks. */
export interface CorpusRuns {
  readonly trials: readonly CorpusTrial[];
  /** Seconds of the longest build of each task's image that was not there already. */
  readonly builds: ReadonlyMap<string, number>;
  /** The runs that were read, oldest first. */
  readonly records: readonly RunRecord[];
}

/** Reads every run in a folder. Of harnesses, `oracle` and `nop` count; the others are left out. */
export async function readCorpusRuns(runsDir: string): Promise<CorpusRuns> {
  const names = (await readdir(runsDir)).toSorted();
  const builds = new Map<string, number>();
  const records: RunRecord[] = [];
  for (const name of names) {
    const dir = join(runsDir, name);
    records.push(await readRun(dir));
    for (const [task, seconds] of await buildSeconds(runLayout(dir).eventsFile))
      builds.set(task, Math.max(seconds, builds.get(task) ?? 0));
  }
  records.sort((a, b) => (a.lock.createdAt < b.lock.createdAt ? -1 : 1));
  return { trials: records.flatMap(({ trials }) => trials.flatMap(corpusTrial)), builds, records };
}

function corpusTrial({ trial, counted, outcome }: TrialRecord): readonly CorpusTrial[] {
  const { task, condition, configuration } = trial;
  // An interrupted trial says nothing of its task.
  if (counted === undefined || (outcome.kind === 'unscored' && outcome.reason === 'cancelled')) return [];
  const ending = counted.agent?.ending;
  if (configuration !== 'oracle' && configuration !== 'nop') return [];
  return [
    {
      task,
      run: counted.run,
      column: configuration === 'nop' ? 'nop' : `oracle ${condition}`,
      startedAt: counted.startedAt,
      result: outcome.kind === 'unscored' ? outcome.reason : outcome.verdict.passed ? 'passed' : 'failed',
      ending: ending === 'completed' || ending === 'crashed' ? undefined : ending,
      strayedSkills: condition === 'no-skills' ? foundSkills(counted) : undefined,
      agentSeconds: phaseSeconds(counted, 'agent'),
      verifySeconds: phaseSeconds(counted, 'verify'),
    },
  ];
}

function foundSkills({ attestation: { before, after } }: AttemptRecord): number {
  return (before?.skillFiles.length ?? 0) + (after?.skillFiles.length ?? 0);
}

function phaseSeconds({ phases }: AttemptRecord, phase: Phase): number {
  const of = phases.filter((one) => one.phase === phase);
  return of.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
}

const BUILT = /^task image (.+)$/;

async function buildSeconds(eventsFile: string): Promise<ReadonlyMap<string, number>> {
  const lines = (await readFile(eventsFile, 'utf8'))
    .split('\n')
    .filter((line) => line.includes('"build-ended"'));
  const seconds = new Map<string, number>();
  for (const line of lines) {
    const event = RunEvent.parse(JSON.parse(line));
    const task = event.kind === 'build-ended' && !event.cached ? BUILT.exec(event.what)?.[1] : undefined;
    if (task !== undefined && event.kind === 'build-ended') seconds.set(task, event.durationMs / 1000);
  }
  return seconds;
}
