import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineError } from '../engine.ts';
import { engineErrorFrom, isRefusal } from './engine-error.ts';

/** Pauses between goes at a call; four goes are enough where one in ten is refused, and cost two seconds where all are. */
const PAUSES_MS = [100, 400, 1_500];

/** Told of a call that is made again: which one, and the engine's reason. */
export type TroubleListener = (message: string) => void;

/** What {@link Patience.insist} has to know of a call. */
export interface InsistentCall {
  readonly operation: string;
  readonly signal: AbortSignal | undefined;
  /**
   * `refused`: made again only where the engine answered that it had not done it. `always`: also where nobody knows, since the connection
   * broke or the answer did not come; only for calls that may be done twice.
   */
  readonly again: 'refused' | 'always' | 'never';
}

/**
 * Makes a call again, a few times, where the engine said no without a reason of its own making or a connection broke. A broken
 * connection is forgiven only while the engine answers at once: one that was away may have been restarted, and what it says of
 * containers from before is no longer what they did.
 */
export class Patience {
  readonly #isThere: () => Promise<boolean>;
  readonly #tell: TroubleListener;

  /** `isThere`: whether the engine answers at once. */
  constructor(isThere: () => Promise<boolean>, tell: TroubleListener) {
    this.#isThere = isThere;
    this.#tell = tell;
  }

  /** Resolves as the first go that works, rejects as the last one. */
  async insist<T>(call: InsistentCall, go: () => Promise<T>): Promise<T> {
    for (const pause of PAUSES_MS) {
      try {
        return await go();
      } catch (caught) {
        const error = engineErrorFrom(call.operation, caught, call.signal);
        if (!(await this.#isWorthAnother(error, call))) throw error;
        this.#tell(`${error.message}; trying again`);
        await sleep(pause, undefined, { signal: call.signal }).catch(() => undefined);
        if (call.signal?.aborted === true) throw error;
      }
    }
    return await go();
  }

  async #isWorthAnother(error: EngineError, { again, signal }: InsistentCall): Promise<boolean> {
    if (again === 'never' || signal?.aborted === true) return false;
    if (isRefusal(error)) return true;
    return again === 'always' && error.kind === 'unreachable' && (await this.#isThere());
  }
}
