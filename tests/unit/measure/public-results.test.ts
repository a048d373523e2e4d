import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { macroAverage } from '../../../src/measure/macro-average.ts';
import { passRate } from '../../../src/measure/pass-rate.ts';

/** Published per-task results of SkillsBench; they live beside the repository and are not part of it. */
const FILE = resolve(import.meta.dirname, '../../../../shared/data/skillsbench-public-results.csv');
const isThere = existsSync(FILE);
const title = isThere
  ? 'agrees with the published averages'
  : `agrees with the published averages (not checked: ${FILE} is absent)`;

describe('the public SkillsBench results', () => {
  it.skipIf(!isThere)(title, () => {
    const rows = readRows();
    const byConfiguration = Map.groupBy(rows, (row) => `${row.harness}@${row.model}`);
    expect(rows).toHaveLength(3132);
    expect(byConfiguration.size).toBe(18);
    const overall = macroAverage(
      [...byConfiguration.values()].map((results) => ({
        noSkills: rateOf(results, 'no-skills'),
        withSkills: rateOf(results, 'with-skills'),
      })),
    );
    expect(percent(overall.noSkills)).toBe('33.9');
    expect(percent(overall.withSkills)).toBe('50.5');
    expect(percent(overall.gain)).toBe('16.6');
    expect(percent(overall.meanNormalizedGain.value)).toBe('25.5');
    expect(percent(overall.normalizedGainOfMeans)).toBe('25.1');
  });
});

type Row = Readonly<Partial<Record<'harness' | 'model' | 'condition' | 'mean_reward', string>>>;

function readRows(): Row[] {
  const [head = '', ...lines] = readFileSync(FILE, 'utf8').trim().split('\n');
  const names = head.trim().split(',');
  return lines.map((line) =>
    Object.fromEntries(
      line
        .trim()
        .split(',')
        .map((cell, index) => [names[index], cell]),
    ),
  );
}

function rateOf(rows: readonly Row[], condition: string): number {
  const rewards = rows.filter((row) => row.condition === condition).map((row) => Number(row.mean_reward));
  return passRate(rewards)!;
}

function percent(rate: number | null): string {
  return ((rate ?? Number.NaN) * 100).toFixed(1);
}
