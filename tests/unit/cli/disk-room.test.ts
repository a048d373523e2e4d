import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { diskRoom } from '../../../src/cli/disk-room.ts';

const ALL = Number.MAX_SAFE_INTEGER;
const here = { address: 'unix:///var/run/engine.sock', rootDir: tmpdir() };

it('a disk with less than the mark is named, with what it holds and what is left', async () => {
  expect(await diskRoom(here, '/nowhere', ALL)()).toMatch(
    new RegExp(`^the disk of the container engine \\(${tmpdir()}\\) has \\d+ MiB left, less than \\d+ MiB$`),
  );
  expect(await diskRoom({ ...here, rootDir: '/nowhere' }, tmpdir(), ALL)()).toContain(
    'the records of the run',
  );
});

it('a disk with room enough, or one that is not on this machine, is no matter', async () => {
  expect(await diskRoom(here, tmpdir(), 1)()).toBeUndefined();
  expect(await diskRoom({ ...here, address: 'tcp://elsewhere:2375' }, '/nowhere', ALL)()).toBeUndefined();
});
