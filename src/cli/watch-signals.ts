import { type Environment, say } from './environment.ts';

type Signal = Parameters<Parameters<Environment['onSignal']>[0]>[0];

/** Signals while there is one thing only to be stopped. */
export interface Signals extends Disposable {
  readonly stop: AbortController;
  /** The first that came. */
  by(): Signal | undefined;
}

/** Listens until disposed: the first signal stops, and `told` is said of it. */
export function watchSignals(environment: Environment, told: string): Signals {
  const stop = new AbortController();
  let first: Signal | undefined;
  const off = environment.onSignal((signal) => {
    first ??= signal;
    if (stop.signal.aborted) return;
    say(environment.stderr, `interrupted: ${told}`);
    stop.abort();
  });
  return { stop, by: () => first, [Symbol.dispose]: off };
}
