import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { watchStorage } from '../../../src/run/storage-watch.ts';

const GIB = 2 ** 30;

/** A disk of which more and more is taken, look by look, and a container that says what it has written of that. */
function disk(free: readonly (number | undefined)[], written: readonly (number | Error)[]) {
  let looks = 0;
  let measured = 0;
  const container = {
    writtenBytes: async () => {
      const answer = written[Math.min(measured++, written.length - 1)] ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return {
    container,
    freeSpace: async () => free[Math.min(looks++, free.length - 1)],
    looks: () => looks,
    measured: () => measured,
  };
}

/** Resolves after so many looks at the disk. */
async function looked(at: { looks(): number }, times: number): Promise<void> {
  while (at.looks() < times) await new Promise((resolve) => setImmediate(resolve));
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

describe('the watch over what a container writes', () => {
  it('does not measure while the disk has lost less than the container may still take', async () => {
    const at = disk([10 * GIB, 9.5 * GIB, 9.1 * GIB], [0]);
    using watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await looked(at, 20);
    expect([at.measured(), watch.over.aborted]).toEqual([0, false]);
  });

  it('measures when it has lost more, and fires once the container itself is over its limit', async () => {
    const at = disk([10 * GIB, 8.9 * GIB, 7 * GIB], [0.2 * GIB, 1.5 * GIB]);
    using watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await fired(watch.over);
    expect(at.measured()).toBe(2);
  });

  it('takes a file with holes for what it takes of the disk', async () => {
    const at = disk([10 * GIB, 9.7 * GIB], [1000 * GIB]);
    using watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await looked(at, 20);
    expect([at.measured(), watch.over.aborted]).toEqual([0, false]);
  });

  it('does not fire for what others have written', async () => {
    const at = disk([10 * GIB, 5 * GIB, 4 * GIB, 3 * GIB, 2 * GIB], [0.1 * GIB]);
    using watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await looked(at, 20);
    expect([at.measured() > 0, watch.over.aborted]).toEqual([true, false]);
  });

  it('goes on where the engine does not answer', async () => {
    const lost = new EngineError('measure container', 'unreachable', 'no');
    const at = disk([10 * GIB, 8 * GIB, 6 * GIB], [lost, 2 * GIB]);
    using watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await fired(watch.over);
    expect(at.measured()).toBe(2);
  });

  it('ends the agent and tells what broke the watch itself, so that no agent goes on unwatched', async () => {
    const at = disk([10 * GIB, 8 * GIB], [new TypeError('broken')]);
    using watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await fired(watch.over);
    expect(watch.fault()).toEqual(new TypeError('broken'));
  });

  it('looks no more once it is disposed', async () => {
    const at = disk([10 * GIB], [0]);
    const watch = watchStorage(at.container, { limitBytes: GIB, freeSpace: at.freeSpace, lookMs: 1 });
    await looked(at, 3);
    watch[Symbol.dispose]();
    const looks = at.looks();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(at.looks() - looks).toBeLessThanOrEqual(1);
  });
});
