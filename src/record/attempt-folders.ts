import { existsSync, readdirSync, statSync } from 'node:fs';
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
 * True when the trial's folder holds exactly one folder, and that can be told without listing it: most file systems count a link for a
 * folder itself, one for its name, and one for each folder in it. Where they do not, the answer is no.
 */
export function hasOneFolder(runDir: string, trial: Trial): boolean {
  return statSync(trialDir(runDir, trial), { throwIfNoEntry: false })?.nlink === 3;
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
