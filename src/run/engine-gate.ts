import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';

const POLL_MS = 1000;

/**
 * Holds new attempts back while the container engine does not answer, so that an engine that restarts costs each running
 * trial one attempt and not all of them.
 */
export class EngineGate {
  readonly #engine: Engine;
  readonly #say: (message: string) => void;
  readonly #patienceMs: number;
  #waiting: Promise<boolean> | undefined;

  constructor(options: { engine: Engine; say: (message: string) => void; patienceMs: number }) {
    this.#engine = options.engine;
    this.#say = options.say;
    this.#patienceMs = options.patienceMs;
  }

  /** Resolves true once the engine answers, false when it has not for as long as patience lasts or until `stop`. */
  pass(stop: AbortSignal): Promise<boolean> {
    return this.#waiting ?? (stop.aborted ? Promise.resolve(false) : Promise.resolve(true));
  }

  /** Tells that a call found nobody: from now on, attempts wait. */
  lost(stop: AbortSignal): void {
    this.#waiting ??= this.#poll(stop).finally(() => {
      this.#waiting = undefined;
    });
  }

  async #poll(stop: AbortSignal): Promise<boolean> {
    const until = performance.now() + this.#patienceMs;
    let said = false;
    while (performance.now() < until && !stop.aborted) {
      if (await this.#answers()) {
        if (said) this.#say('the container engine answers again: going on');
        return true;
      }
      if (!said) this.#say('the container engine does not answer: no trial is started until it does');
      said = true;
      await sleep(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
    }
    return false;
  }

  async #answers(): Promise<boolean> {
    return this.#engine.info(AbortSignal.timeout(5000)).then(
      () => true,
      () => false,
    );
  }
}
