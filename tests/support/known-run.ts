import type { Outcome } from '../../src/model/outcome.ts';
import type { RunLock } from '../../src/model/run-lock.ts';
import type { Trial } from '../../src/model/trial.ts';
import { order } from '../../src/plan/order.ts';
import { aLock, scored, trialsOf, unscored } from './record-values.ts';

const TASKS = Array.from({ length: 30 }, (_, place) => `task-${place}`);

/** Sixty trials, in a planned order. */
export function knownLock(): RunLock {
  return aLock(order(trialsOf(TASKS), 11));
}

/**
 * What becomes of an attempt, by the trial's place in the plan: places 0 to 4 are scored at the second attempt, 50 to 53 lose both of their
 * attempts to the engine, 54 and 55 have a failing build; third and later attempts, and all others, are scored.
 */
export function knownOutcome(trial: Trial, attempt: number): Outcome {
  const place = PLACES.get(trial.id) ?? 0;
  if (place < 5 && attempt === 1) return unscored('start-failed');
  if (place >= 50 && place < 54 && attempt < 3) return unscored('runtime-lost');
  if ((place === 54 || place === 55) && attempt === 1) return unscored('build-failed');
  return scored(place % 3 === 0);
}

const PLACES = new Map<string, number>(knownLock().plan.trials.map(({ id }, place) => [id, place]));
