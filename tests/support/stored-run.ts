import type { RunRecord } from '../../src/model/run-record.ts';
import { createRun } from '../../src/record/run-folder.ts';

/** Writes a run to disk as a runner would have: lock, journal and every attempt. */
export async function storeRun(dir: string, record: RunRecord): Promise<void> {
  const onBroken = (error: Error) => {
    throw error;
  };
  await using folder = await createRun({ dir, lock: record.lock, onBroken });
  const { run } = record.lock;
  const at = record.lock.createdAt;
  const planned = record.trials.length;
  folder.journal.append({ kind: 'run-started', at, run, planned, toRun: planned, resumed: false });
  for (const attempt of record.trials.flatMap(({ attempts }) => attempts)) {
    const { commit } = await folder.beginAttempt(attempt.trial, attempt.attempt);
    await commit(attempt);
  }
  if (record.endedBy !== 'unfinished')
    folder.journal.append({ kind: 'run-ended', at, run, reason: record.endedBy });
}
