import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { AttemptRecord } from '../model/attempt.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Trial } from '../model/trial.ts';
import { attemptNumbers, hasOneFolder } from './attempt-folders.ts';
import { damage } from './damage.ts';
import { attemptLayout } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { makeShare, type Share, withSharedParts } from './shared-values.ts';
import { trialRecord } from './trial-record.ts';

const BATCH = 200;

/** The trials of a run as far as they are recorded. */
export interface RecordedTrials {
  /** In plan order. */
  readonly trials: readonly TrialRecord[];
  /** Attempt folders without a record: killed, or under way. */
  readonly unrecorded: number;
}

/**
 * Reads every `attempt.json`. Rejects with InputError at the first that is damaged or lies in another's place. Files are read one by one and
 * synchronously, giving way between batches: for thousands of small files that took a third of the time of 64 reads at once.
 */
export async function readAttempts(runDir: string, lock: RunLock): Promise<RecordedTrials> {
  const trials: TrialRecord[] = [];
  const share = makeShare();
  let unrecorded = 0;
  for (const [place, trial] of lock.plan.trials.entries()) {
    if (place % BATCH === BATCH - 1) await setImmediate();
    const found = attemptsOf({ runDir, lock, trial, share });
    unrecorded += found.unrecorded;
    trials.push(trialRecord(trial, found.attempts));
  }
  return { trials, unrecorded };
}

/** Nearly every trial has one attempt, which is the first: listing its folder would take longer than reading the record. */
function attemptsOf(place: Omit<AttemptPlace, 'attempt'>) {
  const { runDir, trial } = place;
  const only = hasOneFolder(runDir, trial) ? readAttempt({ ...place, attempt: 1 }) : undefined;
  if (only !== undefined) return { attempts: [only], unrecorded: 0 };
  const numbers = attemptNumbers(runDir, trial);
  const attempts = numbers.flatMap((attempt) => readAttempt({ ...place, attempt }) ?? []);
  return { attempts, unrecorded: numbers.length - attempts.length };
}

interface AttemptPlace {
  readonly runDir: string;
  readonly lock: RunLock;
  readonly trial: Trial;
  readonly attempt: number;
  readonly share: Share;
}

function readAttempt({ runDir, lock, trial, attempt, share }: AttemptPlace): AttemptRecord | undefined {
  const file = attemptLayout(runDir, trial, attempt).recordFile;
  const repair = `delete ${file} and resume the run: that attempt will be made again`;
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const record = parseRecord(AttemptRecord, text, { file, repair });
  const expected = `attempt ${attempt} of ${trial.id} (run ${lock.run})`;
  const found = `attempt ${record.attempt} of ${record.trial.id} (run ${record.run})`;
  if (found !== expected) throw damage({ file }, `it holds ${found} in the place of ${expected}`, repair);
  return withSharedParts({ ...record, run: lock.run, trial }, share);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw error;
  }
}
