import { readFileSync } from 'node:fs';
import { AttemptRecord } from '../model/attempt.ts';
import type { RunLock } from '../model/run-lock.ts';
import type { TrialRecord } from '../model/run-record.ts';
import type { Trial } from '../model/trial.ts';
import { attemptNumbers } from './attempt-folders.ts';
import { damage } from './damage.ts';
import { holdsOneFolder } from './holds-one-folder.ts';
import { attemptLayout, trialDir } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { textsAhead } from './read-ahead.ts';
import { makeShare, type Share, withSharedParts } from './shared-values.ts';
import { trialRecord } from './trial-record.ts';

/** The trials of a run as far as they are recorded. */
export interface RecordedTrials {
  /** In plan order. */
  readonly trials: readonly TrialRecord[];
  /** Attempt folders without a record: killed, or under way. */
  readonly unrecorded: number;
}

/**
 * Reads every `attempt.json`. Rejects with InputError at the first that is damaged or lies in another's place. Files are read one by one and
 * synchronously (for thousands of small files that took a third of the time of 64 reads at once), ahead and in a thread of their own
 * where there are at least `aheadFrom` trials. Gives way between batches.
 */
export async function readAttempts(
  runDir: string,
  lock: RunLock,
  aheadFrom: number,
): Promise<RecordedTrials> {
  const trials: TrialRecord[] = [];
  const share = makeShare();
  let unrecorded = 0;
  const planned = lock.plan.trials;
  for await (const texts of textsAhead(runDir, planned, aheadFrom)) {
    for (const text of texts) {
      const trial = planned[trials.length] as Trial;
      const found = attemptsOf({ runDir, lock, trial, share }, text);
      unrecorded += found.unrecorded;
      trials.push(trialRecord(trial, found.attempts));
    }
  }
  return { trials, unrecorded };
}

/** Nearly every trial has one attempt, which is the first: listing its folder would take longer than reading the record. */
function attemptsOf(place: Omit<AttemptPlace, 'attempt'>, ahead: string | undefined) {
  const { runDir, trial } = place;
  const first = { ...place, attempt: 1 };
  if (ahead !== undefined) return { attempts: [checkedAttempt(ahead, first)], unrecorded: 0 };
  const only = holdsOneFolder(trialDir(runDir, trial)) ? readAttempt(first) : undefined;
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

function readAttempt(place: AttemptPlace): AttemptRecord | undefined {
  const text = readIfThere(attemptLayout(place.runDir, place.trial, place.attempt).recordFile);
  return text === undefined ? undefined : checkedAttempt(text, place);
}

/** The record in the text of its file. */
function checkedAttempt(text: string, { runDir, lock, trial, attempt, share }: AttemptPlace): AttemptRecord {
  const file = attemptLayout(runDir, trial, attempt).recordFile;
  const repair = `delete ${file} and resume the run: that attempt will be made again`;
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
