import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from '../../../support/run-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ROWS = `task,harness,model,condition,index,reward,reason,note
a,Codex,GPT-5.5,no-skills,1,0,,x
a,Codex,GPT-5.5,no-skills,2,1,,x
a,Codex,GPT-5.5,with-skills,1,1,,x
a,Codex,GPT-5.5,with-skills,2,,runtime-lost,x
`;

describe('skillpair import', () => {
  it('makes a folder that report reads, named after the file, and says what it did not read', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'My Results.csv'), ROWS);
    const imported = await program(['import', 'My Results.csv'], folder.path);
    expect(imported).toEqual({
      exitCode: 0,
      stdout:
        'imported: 4 rows, a trial each, of 1 configuration, into runs/my-results\nnext: npx skillpair report my-results\n',
      stderr: 'notice: columns that were not read: note\n',
    });
    const { stdout, exitCode } = await program(['report', 'my-results'], folder.path);
    expect(exitCode).toBe(4);
    expect(stdout).toContain('planned 4 = scored 3 + unscored 1; unscored: runtime-lost 1');
    expect(stdout).not.toContain('next:');
    const markdown = await readFile(join(folder.path, 'runs/my-results/reports/report.md'), 'utf8');
    expect(markdown).toContain(
      '- a/with-skills/2/Codex@GPT-5.5: runtime-lost: the container engine went away',
    );
    expect(markdown).toContain('from My Results.csv');
  });

  it('tells what is wrong with file, line and repair, and makes nothing', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'bad.csv'), ROWS.replace('no-skills,2,1', 'no-skills,2,100'));
    const { exitCode, stderr } = await program(['import', 'bad.csv'], folder.path);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('bad.csv:3 error: reward is "100", not a number from 0 to 1');
    expect(stderr).toContain('repair: write it like 0.667');
    expect((await program(['report', 'bad'], folder.path)).exitCode).toBe(2);
  });

  it('does not import twice under one name', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'one.csv'), ROWS);
    await program(['import', 'one.csv'], folder.path);
    const { exitCode, stderr } = await program(['import', 'one.csv'], folder.path);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('run one exists already: its results were imported');
  });

  it('reads the trials.csv of a run back to the same rates', async () => {
    await using folder = await temporaryFolder();
    const golden = join(import.meta.dirname, '../../../golden/reports');
    await program(['import', join(golden, 'trials.csv'), '--run-id', 'again'], folder.path);
    const { stdout } = await program(['report', 'again', '--json'], folder.path);
    const rates = (text: string) =>
      (JSON.parse(text) as { configurations: { arms: { passRate: unknown }[] }[] }).configurations.map(
        ({ arms }) => arms.map(({ passRate }) => passRate),
      );
    expect(rates(stdout)).toEqual(rates(await readFile(join(golden, 'measurement.json'), 'utf8')));
  });
});
