import { describe, expect, it } from 'vitest';
import { workSlots } from '../../../src/run/work-slots.ts';

/** Work that stays until it is let go, and knows how much of it is under way. */
function heldWork() {
  const begun: number[] = [];
  const release = new Map<number, () => void>();
  const work = (name: number) => () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    begun.push(name);
    release.set(name, () => resolve(name));
    return promise;
  };
  return { begun, work, release: (name: number) => release.get(name)?.() };
}

describe('the slots of a host with two cpus', () => {
  it('let eight go on at once, and the next one when one has ended', async () => {
    const { begun, work, release } = heldWork();
    const inSlot = workSlots(2);
    const all = Array.from({ length: 10 }, (_, name) => inSlot(work(name)));
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    release(3);
    expect(await all[3]).toBe(3);
    await Promise.resolve();
    expect(begun).toContain(8);
    expect(begun).not.toContain(9);
    for (const name of [0, 1, 2, 4, 5, 6, 7]) release(name);
    await all[7];
    await Promise.resolve();
    release(8);
    release(9);
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('give a slot back when the work fails', async () => {
    const inSlot = workSlots(0.25);
    await expect(inSlot(() => Promise.reject(new Error('engine gone')))).rejects.toThrow('engine gone');
    expect(await inSlot(async () => 'next')).toBe('next');
  });
});
