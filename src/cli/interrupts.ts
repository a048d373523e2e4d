import type { Environment } from './environment.ts';

/** npm passes a terminal's signal on to a child that already got it: repeats within this time are one. */
const SAME_PRESS_MS = 1000;

/** Two steps out of a run: the first signal drains, the second stops. */
export interface Interrupts extends Disposable {
  readonly drain: AbortSignal;
  readonly stop: AbortController;
  by(): 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
}

/** Listens until disposed. */
export function watchInterrupts(environment: Environment, say: (line: string) => void): Interrupts {
  const drain = new AbortController();
  const stop = new AbortController();
  let first: { readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'; readonly at: number } | undefined;
  const off = environment.onSignal((signal) => {
    const at = performance.now();
    if (first === undefined) {
      first = { signal, at };
      say('interrupted: no new trial is started, running ones are finished (once more: stop now)');
      drain.abort();
    } else if (at - first.at > SAME_PRESS_MS && !stop.signal.aborted) {
      say('stopping now: running trials are cancelled and their containers removed');
      stop.abort();
    }
  });
  return { drain: drain.signal, stop, by: () => first?.signal, [Symbol.dispose]: off };
}
