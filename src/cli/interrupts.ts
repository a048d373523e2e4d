import type { Environment } from './environment.ts';

/** npm passes a terminal's signal on to a child that already got it: repeats within this time are one. */
const SAME_PRESS_MS = 1000;
const BEAT_MS = 200;

/** Two steps out of a run: the first signal drains, the second stops. */
export interface Interrupts extends Disposable {
  readonly drain: AbortSignal;
  readonly stop: AbortController;
  by(): 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
}

/** Time as a process knows it: one that is busy or starved learns late of everything, its signals too. */
export interface Pulse {
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back again and again while the process has time for it; returns how to end that. */
  readonly beat: (listener: () => void) => () => void;
}

const PULSE: Pulse = {
  now: () => performance.now(),
  beat: (listener) => {
    const timer = setInterval(listener, BEAT_MS).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Listens until disposed. A process that was too busy to hear of signals hears of several at once, whenever they came: where the first
 * may have come long ago, a further one counts as the second press, unless it can be the double that a program above this one passed on.
 */
export function watchInterrupts(
  environment: Pick<Environment, 'env' | 'onSignal'>,
  say: (line: string) => void,
  { now, beat }: Pulse = PULSE,
): Interrupts {
  const drain = new AbortController();
  const stop = new AbortController();
  const ofOnePress = isPassedOn(environment.env) ? 2 : 1;
  let beatAt = now();
  const stopBeat = beat(() => {
    beatAt = now();
  });
  let first: Heard | undefined;
  let signals = 0;
  const off = environment.onSignal((signal) => {
    const at = now();
    signals += 1;
    if (first === undefined) {
      first = { signal, at, notBefore: beatAt };
      say('interrupted: no new trial is started, running ones are finished (once more: stop now)');
      drain.abort();
      return;
    }
    const areApart = at - first.at > SAME_PRESS_MS;
    const mayBeApart = at - first.notBefore > SAME_PRESS_MS;
    if (stop.signal.aborted || !(areApart || (mayBeApart && signals > ofOnePress))) return;
    say('stopping now: running trials are cancelled and their containers removed');
    stop.abort();
  });
  return {
    drain: drain.signal,
    stop,
    by: () => first?.signal,
    [Symbol.dispose]: () => {
      stopBeat();
      off();
    },
  };
}

interface Heard {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP';
  /** When this process heard of it. */
  readonly at: number;
  /** When it had last heard that nothing had come. */
  readonly notBefore: number;
}

/** Whether npm, or the launcher started with a Node, stands above this process and passes on what it gets itself. */
function isPassedOn(env: Environment['env']): boolean {
  return env.npm_command !== undefined || env.SKILLPAIR_LAUNCHED !== undefined;
}
