import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { program } from '../../support/run-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Published per-task results of SkillsBench; they live beside the repository and are not part of it. */
const FILE = resolve(import.meta.dirname, '../../../../shared/data/skillsbench-public-results.csv');
const isThere = existsSync(FILE);
const title = (text: string) => (isThere ? text : `${text} (not checked: ${FILE} is absent)`);

describe('import and report of the public SkillsBench results', () => {
  let screen = '';
  let markdown = '';

  beforeAll(async () => {
    if (!isThere) return;
    await using folder = await temporaryFolder();
    const imported = await program(['import', FILE, '--run-id', 'public'], folder.path);
    expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
    screen = (await program(['report', 'public'], folder.path)).stdout;
    markdown = await readFile(join(folder.path, 'runs/public/reports/report.md'), 'utf8');
  });

  it.skipIf(!isThere)(title('print the published averages to the digit'), () => {
    expect(markdown).toContain(
      'Over 18 configurations and 87 tasks (macro average): 33.9 % without, 50.5 % with, gain +16.6 pp',
    );
    expect(markdown).toContain(
      'normalized gain 25.5 % (per configuration, then averaged; defined in 18) and 25.1 % (of the averages); configuration gains +4.1 pp to +25.7 pp.',
    );
    expect(screen).toContain('over 18 configurations and 87 tasks: 33.9 % without, 50.5 % with, +16.6 pp');
    expect(screen).toContain(
      'normalized gain: 25.5 % per configuration, then averaged; 25.1 % of the averages',
    );
  });

  it.skipIf(!isThere)(title('print the best two configurations to the digit, best first'), () => {
    expect(screen.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^OpenHands@GPT-5\.5 .* 67\.3 /),
      expect.stringMatching(/^Codex@GPT-5\.5 .* 66\.5 /),
    ]);
    expect(markdown).toMatch(/\| OpenHands@GPT-5\.5 \| [\d.]+ % \| 67\.3 % \|/);
    expect(markdown).toMatch(/\| Codex@GPT-5\.5 \| [\d.]+ % \| 66\.5 % \|/);
  });

  it.skipIf(!isThere)(title('print the tasks that stand out to the digit'), () => {
    expect(markdown).toContain('13 tasks with negative gain, the worst -7.4 pp');
    expect(markdown).toContain('mean of the ten largest task gains: +67.0 pp');
    expect(screen).toMatch(/13 tasks with negative gain over all, the worst \S+ -7\.4 pp/);
  });

  it.skipIf(!isThere)(title('say that the trials behind the means are not known'), () => {
    expect(markdown).toContain('means were imported: how many of their trials had a verdict');
    expect(markdown).toContain('what ran, on what, when, with which images, Skills and limits is not told');
    expect(screen).toContain('means of 9,396 trials; how many of them had a verdict is not known');
    expect(screen).not.toMatch(/scored|unscored/);
  });
});
