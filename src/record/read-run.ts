import { readdir } from 'node:fs/promises';
import type { RunLock } from '../model/run-lock.ts';
import type { RunRecord } from '../model/run-record.ts';
import { runLayout } from './layout.ts';
import { readAttempts } from './read-attempts.ts';
import { readEvents } from './read-events.ts';
import { readLock } from './read-lock.ts';
import { withoutUnequalArms } from './unequal-arms.ts';

/** Trials from which on reading takes longer than the start of a thread for it. */
const AHEAD_FROM = 2_000;

/**
 * Reads a run folder back, on any machine and without an engine. Needs no ownership: of a run under way it gives what is recorded so far.
 * Rejects with InputError that names file and line when something is damaged; what could be left out safely is in `notices`.
 * From `aheadFrom` trials on, a thread of its own opens the files; the result is the same.
 */
export async function readRun(dir: string, aheadFrom = AHEAD_FROM): Promise<RunRecord> {
  const layout = runLayout(dir);
  const lock = await readLock(dir);
  const [journal, { trials, unrecorded }] = await bothRead(
    readEvents(layout.eventsFile),
    readAttempts(dir, lock, aheadFrom),
  );
  const notices = [...(await strayTasks(layout.trialsDir, lock))];
  if (unrecorded > 0)
    notices.push(`attempts without a record (their runner was killed or is still at work): ${unrecorded}`);
  if (journal.tornBytes > 0)
    notices.push(`events.jsonl ends in a torn line of ${journal.tornBytes} bytes, which was left out`);
  return { lock, trials: withoutUnequalArms(trials), notices, endedBy: journal.endedBy };
}

/** Side by side, since one waits for files while the other works. Of two faults the first is told, whichever was met earlier. */
async function bothRead<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return [await first, await second];
}

async function strayTasks(trialsDir: string, lock: RunLock): Promise<string[]> {
  const planned = new Set<string>(lock.plan.trials.map((trial) => trial.task));
  const there = await readdir(trialsDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return there
    .filter((name) => !planned.has(name))
    .sort()
    .map((name) => `trials/${name} belongs to no planned task and was left out`);
}
