import { describe, expect, it } from 'vitest';
import { watchInterrupts } from '../../../src/cli/interrupts.ts';

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface State {
  at: number;
  beat: () => void;
  signal: (name: Signal) => void;
}

/** A process whose time passes as the test says; `busyFor` lets it pass without a beat. */
function aProcess(env: Readonly<Record<string, string>> = {}) {
  const state: State = { at: 0, beat: () => undefined, signal: () => undefined };
  const said: string[] = [];
  const interrupts = watchInterrupts(
    {
      env,
      onSignal: (listener) => {
        state.signal = listener;
        return () => undefined;
      },
    },
    (line) => said.push(line.split(':')[0] ?? ''),
    {
      now: () => state.at,
      beat: (listener) => {
        state.beat = listener;
        return () => undefined;
      },
    },
  );
  return {
    interrupts,
    said,
    signal: (name: Signal = 'SIGINT') => state.signal(name),
    busyFor: (ms: number) => {
      state.at += ms;
    },
    idleFor: (ms: number) => {
      for (const end = state.at + ms; state.at < end; ) {
        state.at = Math.min(end, state.at + 200);
        state.beat();
      }
    },
  };
}
const ONCE = ['interrupted'];
const TWICE = ['interrupted', 'stopping now'];

describe('signals to a run', () => {
  it('once: drains, and tells by which', () => {
    const { interrupts, said, signal } = aProcess();
    signal('SIGTERM');
    expect([said, interrupts.drain.aborted, interrupts.stop.signal.aborted]).toEqual([ONCE, true, false]);
    expect(interrupts.by()).toBe('SIGTERM');
  });

  it('twice, some seconds apart: stops, and a third changes nothing', () => {
    const { interrupts, said, signal, idleFor } = aProcess();
    signal();
    idleFor(3000);
    signal('SIGTERM');
    signal();
    expect([said, interrupts.stop.signal.aborted]).toEqual([TWICE, true]);
    expect(interrupts.by()).toBe('SIGINT');
  });

  it('twice within a second are one press, as where a program above passes on what the terminal sent to both', () => {
    const { said, signal, idleFor } = aProcess();
    idleFor(5000);
    signal();
    signal();
    idleFor(800);
    signal();
    expect(said).toEqual(ONCE);
  });

  it('twice while the process was too busy to hear of either: the second counts', () => {
    const { said, signal, idleFor, busyFor } = aProcess();
    idleFor(5000);
    busyFor(4000);
    signal();
    signal();
    expect(said).toEqual(TWICE);
  });

  it('once, passed on by npm or the launcher, while the process was busy: is one press', () => {
    for (const env of [{ npm_command: 'exec' }, { SKILLPAIR_LAUNCHED: '1' }]) {
      const { said, signal, idleFor, busyFor } = aProcess(env);
      idleFor(5000);
      busyFor(4000);
      signal();
      signal();
      expect(said).toEqual(ONCE);
      signal();
      expect(said).toEqual(TWICE);
    }
  });
});
