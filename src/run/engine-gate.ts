import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '../engine/engine.ts';

const POLL_MS = 1000;
/** A disk that the engine called full is not asked for again at once, even where it looks as if there were room. */
const FULL_PAUSE_MS = 10_000;

/** What a gate watches, and how long it holds. */
export interface EngineGateOptions {
  readonly engine: Engine;
  readonly say: (message: string) => void;
  readonly patienceMs: number;
  /** Which disk has too little room for another trial, in words; undefined where there is room or nobody knows. */
  readonly lack?: () => Promise<string | undefined>;
  /** Least pause after the engine called its disk full. */
  readonly fullPauseMs?: number;
}

/** Why attempts are held back: what is said, and how to know that it is over. */
interface Hold {
  readonly says: string;
  readonly isOver: () => Promise<boolean>;
  readonly saysOver: string;
  /** What went wrong where it is never over. */
  readonly failure: () => EngineError;
}

/**
 * Holds new attempts back while the container engine does not answer or a disk is full, so that an engine that restarts costs each
 * running trial one attempt and not all of them, and a full disk not every trial of the run.
 */
export class EngineGate {
  readonly #options: EngineGateOptions;
  #waiting: Promise<EngineError | undefined> | undefined;

  constructor(options: EngineGateOptions) {
    this.#options = options;
  }

  /** Resolves when an attempt may begin, or `stop` fires; with an error where patience has run out: then none may. */
  async pass(stop: AbortSignal): Promise<EngineError | undefined> {
    if (this.#waiting !== undefined || stop.aborted) return this.#waiting;
    const lack = await this.#options.lack?.();
    if (lack !== undefined) this.#holdForRoom(lack, 0, stop);
    return this.#waiting;
  }

  /** Tells that a call found nobody: from now on, attempts wait. */
  lost(stop: AbortSignal): void {
    this.#hold(stop, {
      says: 'the container engine does not answer: no trial is started until it does',
      isOver: () => this.#answers(),
      saysOver: 'the container engine answers again: going on',
      failure: () => new EngineError('wait for the container engine', 'unreachable', 'it did not come back'),
    });
  }

  /** Tells that a call found the engine's disk full, in the engine's words: from now on, attempts wait. */
  full(detail: string, stop: AbortSignal): void {
    this.#holdForRoom(detail, this.#options.fullPauseMs ?? FULL_PAUSE_MS, stop);
  }

  #holdForRoom(detail: string, pauseMs: number, stop: AbortSignal): void {
    const from = performance.now();
    this.#hold(stop, {
      says: `${detail}: no trial is started until there is room (docker system df shows what takes it)`,
      isOver: async () => performance.now() - from >= pauseMs && (await this.#options.lack?.()) === undefined,
      saysOver: 'trials are started again: there may be room now',
      failure: () => new EngineError('wait for room on the disk', 'no-space', detail),
    });
  }

  #hold(stop: AbortSignal, hold: Hold): void {
    this.#waiting ??= this.#poll(stop, hold).finally(() => {
      this.#waiting = undefined;
    });
  }

  async #poll(
    stop: AbortSignal,
    { says, isOver, saysOver, failure }: Hold,
  ): Promise<EngineError | undefined> {
    const { say, patienceMs } = this.#options;
    const until = performance.now() + patienceMs;
    let said = false;
    while (performance.now() < until && !stop.aborted) {
      if (await isOver()) {
        if (said) say(saysOver);
        return undefined;
      }
      if (!said) say(says);
      said = true;
      await sleep(Math.min(POLL_MS, Math.max(1, until - performance.now())), undefined, {
        signal: stop,
      }).catch(() => undefined);
    }
    return stop.aborted ? undefined : failure();
  }

  async #answers(): Promise<boolean> {
    return this.#options.engine.info(AbortSignal.timeout(5000)).then(
      () => true,
      () => false,
    );
  }
}
