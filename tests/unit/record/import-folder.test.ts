import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../../src/base/digest.ts';
import { ImportedResults } from '../../../src/model/imported-results.ts';
import { readReportable, writeImport } from '../../../src/record/import-folder.ts';
import { runLayout } from '../../../src/record/layout.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const IMPORTED = ImportedResults.parse({
  schemaVersion: 1,
  run: 'public',
  importedAt: '2026-11-30T10:00:00Z',
  skillpair: '0.1.0',
  source: { file: 'public.csv', digest: digestBytes('x'), rows: 3 },
  configurations: [{ name: 'x' }],
  results: {
    kind: 'trials',
    trials: [
      { task: 'a', condition: 'no-skills', configuration: 'x', index: 1, reward: 1 },
      { task: 'a', condition: 'no-skills', configuration: 'x', index: 2, reward: 0.5 },
      { task: 'a', condition: 'with-skills', configuration: 'x', index: 1 },
    ],
  },
});

describe('a folder of imported results', () => {
  it('is read back as trials without attempts; a missing reward is unscored, and its reason not told', async () => {
    await using folder = await temporaryFolder();
    await writeImport(join(folder.path, 'public'), IMPORTED);
    const record = await readReportable(join(folder.path, 'public'));
    expect(
      record.trials.map(({ trial, outcome, attempts }) => [trial.id, outcome.kind, attempts.length]),
    ).toEqual([
      ['a/no-skills/1/x', 'scored', 0],
      ['a/no-skills/2/x', 'scored', 0],
      ['a/with-skills/1/x', 'unscored', 0],
    ]);
    expect(record.trials[1]!.outcome).toMatchObject({ verdict: { passed: false, reward: 0.5 } });
    expect(record.trials[2]!.outcome).toMatchObject({ reason: 'not-told' });
  });

  it('is not written over anything else', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'taken'));
    await writeFile(join(folder.path, 'taken', 'notes.txt'), 'mine');
    await expect(writeImport(join(folder.path, 'taken'), IMPORTED)).rejects.toThrow('is not empty');
  });

  it('is damaged when a byte of it changed, and says which file and what to do', async () => {
    await using folder = await temporaryFolder();
    await writeImport(folder.path, IMPORTED);
    const file = runLayout(folder.path).importFile;
    await writeFile(file, (await readFile(file, 'utf8')).replace('0.5', '0.9'));
    await expect(readReportable(folder.path)).rejects.toMatchObject({
      problems: [{ where: { file }, repair: 'import the results again under another name' }],
    });
  });
});
