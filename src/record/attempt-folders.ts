import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Trial } from '../model/trial.ts';
import { attemptLayout, trialDir } from './layout.ts';

/** Numbers of a trial's attempt folders, recorded or not, ascending. Empty for a trial that never began. */
export function attemptNumbers(runDir: string, trial: Trial): number[] {
  let names: string[];
  try {
    names = readdirSync(trialDir(runDir, trial));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const numbers = names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
  return numbers.length < 2 ? numbers : numbers.sort((a, b) => a - b);
}

/**
 * Removes the folders of attempts that were never recorded and tells how many there were. Only for the owner of the run folder:
 * to anybody else they may be attempts under way.
 */
export async function sweepAttempts(runDir: string, trials: readonly Trial[]): Promise<number> {
  let swept = 0;
  for (const trial of trials) {
    for (const attempt of attemptNumbers(runDir, trial)) {
      const layout = attemptLayout(runDir, trial, attempt);
      if (existsSync(layout.recordFile)) continue;
      await rm(layout.dir, { recursive: true, force: true });
      swept++;
    }
  }
  return swept;
}
