import { describe, expect, test } from 'vitest';
import { layerFaults } from '../../../scripts/layer-faults.ts';

describe('layerFaults', () => {
  test('is empty when enough modules were looked at and no rule is broken', () => {
    expect(layerFaults({ summary: { totalCruised: 50, violations: [] } }, 50)).toEqual([]);
  });

  test('does not believe a cruise that looked at too few modules', () => {
    const faults = layerFaults({ summary: { totalCruised: 0, violations: [] } }, 50);
    expect(faults).toEqual(['only 0 modules were looked at, fewer than 50']);
  });

  test('names the rule and both ends of a forbidden import', () => {
    const rule = { name: 'pure', severity: 'error' };
    const violations = [{ rule, from: 'src/plan/plan.ts', to: 'fs' }];
    expect(layerFaults({ summary: { totalCruised: 60, violations } }, 50)).toEqual([
      'pure: src/plan/plan.ts imports fs',
    ]);
  });
});
