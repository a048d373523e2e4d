import { setTimeout as sleep } from 'node:timers/promises';
import { isDead, isThisProcess } from '../base/lock-file.ts';
import { type Engine, EngineError, type OwnedObject } from '../engine/engine.ts';
import { objectsOf, removeAll } from './sweep.ts';

const SWEEP_BUDGET_MS = 120_000;
/** How long an engine that is away at the end of a run is waited for. */
const ABSENCE_MS = 30_000;
const PAUSE_MS = 2_000;

/** Removes what dead runs left on the engine, and says so. What stands in the way of that does not stand in the way of a run. */
export async function sweepDead(engine: Engine, say: (message: string) => void): Promise<void> {
  const signal = AbortSignal.timeout(SWEEP_BUDGET_MS);
  try {
    const objects = await objectsOf(engine, isDead, signal);
    if (objects.length === 0) return;
    const failures = await removeAll(engine, objects, signal);
    const removed = objects.length - failures.length;
    if (removed > 0) say(`removed ${removed} objects that dead runs had left`);
    for (const failure of failures) say(`could not remove ${failure}`);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    say(`could not look for what dead runs have left: ${error.message}`);
  }
}

/**
 * The last word on what a run leaves behind: whatever carries this process's labels when all its trials have ended is removed, whether
 * anybody knew of it or not (`known`: what could not be removed at its time). Returns what is still there, or may be.
 */
export async function clearUp(engine: Engine, known: readonly string[]): Promise<readonly string[]> {
  try {
    const objects = await onceThere(() =>
      objectsOf(engine, isThisProcess, AbortSignal.timeout(SWEEP_BUDGET_MS)),
    );
    return await removeAll(engine, objects, AbortSignal.timeout(SWEEP_BUDGET_MS));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return known.length > 0 ? known : [`it is not known what: ${error.message}`];
  }
}

async function onceThere(look: () => Promise<OwnedObject[]>): Promise<OwnedObject[]> {
  const until = performance.now() + ABSENCE_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      const isAway = error instanceof EngineError && error.kind === 'unreachable';
      if (!isAway || performance.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
