import type { TokenUsage } from '../model/model-use.ts';

const COUNTS = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const;

/** Sums token counts; one that nobody gave stays absent. */
export function usageSum(usages: readonly TokenUsage[]): TokenUsage {
  const given = COUNTS.flatMap((name) => {
    const counts = usages.flatMap((usage) => usage[name] ?? []);
    return counts.length === 0 ? [] : [[name, counts.reduce((sum, count) => sum + count, 0)] as const];
  });
  return Object.fromEntries(given);
}
