import { describe, expect, it } from 'vitest';
import { onRoomyDisk } from '../../../src/run/roomy-disk.ts';

const MIB = 2 ** 20;

/** A disk with so much free space before and after, and a container that has written so much, or cannot be measured. */
function disk(free: readonly (number | undefined)[], written?: number, volumes: readonly string[] = []) {
  const left = [...free];
  const freeSpace = async () => left.shift();
  const container = { writtenBytes: async () => written };
  return { container, volumes, freeSpace, signal: new AbortController().signal };
}

describe('work on the disk of the engine', () => {
  const work = async () => 'done';

  it.each([
    ['has room', disk([900 * MIB, 300 * MIB], 600 * MIB)],
    ['cannot be seen', disk([undefined, undefined], 0)],
    ['was filled by the container itself', disk([900 * MIB, 0], 899 * MIB)],
    ['is full while nobody can say what the container has written', disk([900 * MIB, 0])],
    ['is full, and the container may have filled it through a volume', disk([900 * MIB, 0], 0, ['/data'])],
  ])('counts where the disk %s', async (_what, on) => {
    expect(await onRoomyDisk(on, work)).toBe('done');
  });

  it.each([
    ['before it begins, and is then not begun', disk([100 * MIB, 900 * MIB], 0)],
    ['in the end, and the container has written next to nothing', disk([900 * MIB, 2 * MIB], 4 * MIB)],
  ])('counts for nothing where others have filled the disk %s', async (_what, on) => {
    await expect(onRoomyDisk(on, work)).rejects.toMatchObject({
      kind: 'no-space',
      message: expect.stringMatching(/^look for room on the disk: .* has (100|2) MiB left/),
    });
  });
});
