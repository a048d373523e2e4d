import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { keptEvidence, openEvidence, removeEvidence } from '../../../../src/cli/task-gate/evidence-folder.ts';
import { RunId } from '../../../../src/model/ids.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const id = (place: number) => RunId.parse(`task-check-20260301-10000${place}-ab`);
const names = async (cwd: string) => (await keptEvidence(cwd)).map((dir) => basename(dir));

/** A check that has ended and left something. */
async function ended(cwd: string, place: number): Promise<void> {
  await using folder = await openEvidence(cwd, id(place));
  await writeFile(join(folder.dir, 'stderr.log'), 'x');
}

it('keeps the evidence of the last five checks, in the project and out of git', async () => {
  await using folder = await temporaryFolder();
  for (let place = 0; place < 7; place++) await ended(folder.path, place);
  expect(await names(folder.path)).toEqual([2, 3, 4, 5, 6].map(id));
  const root = join(folder.path, '.skillpair', 'task-check');
  expect(await readdir(join(root, id(6)))).toEqual(['stderr.log']);
  expect(await readFile(join(root, '.gitignore'), 'utf8')).toBe('*\n');
});

it('never removes what a check at work is writing', async () => {
  await using folder = await temporaryFolder();
  await using _working = await openEvidence(folder.path, id(0));
  for (let place = 1; place < 8; place++) await ended(folder.path, place);
  expect(await names(folder.path)).toEqual([3, 4, 5, 6, 7].map(id));
  expect(await readdir(join(folder.path, '.skillpair', 'task-check'))).toContain(id(0));
});

it('has nothing where no check has been, and nothing left once all is removed', async () => {
  await using folder = await temporaryFolder();
  expect(await names(folder.path)).toEqual([]);
  await ended(folder.path, 1);
  await removeEvidence(await keptEvidence(folder.path));
  expect(await names(folder.path)).toEqual([]);
});

it('says what to do where nothing can be written', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, '.skillpair'), 'a file');
  await expect(openEvidence(folder.path, id(1))).rejects.toThrow(
    'the evidence of a check cannot be kept here',
  );
});
