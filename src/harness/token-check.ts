import type { Notice } from '../model/attempt.ts';
import type { ModelUse, TokenUsage } from '../model/model-use.ts';

const COMPARED = ['input', 'output', 'cachedInput'] as const;

/**
 * Compares a program's own token counts with the gateway's. Programs sum counts that they round per answer, so a
 * difference of one token per request is none. Counts that either side lacks are not compared.
 */
export function tokenNotices(usage: TokenUsage, modelUse: ModelUse | undefined): Notice[] {
  if (modelUse === undefined) return [];
  const differing = COMPARED.filter((count) => {
    const [own, seen] = [usage[count], modelUse.usage[count]];
    return own !== undefined && seen !== undefined && Math.abs(own - seen) > modelUse.requests;
  });
  if (differing.length === 0) return [];
  const list = differing.map((count) => `${count} ${usage[count]} against ${modelUse.usage[count]}`);
  const detail = `tokens as the harness counted and as the gateway did: ${list.join(', ')}`;
  return [{ code: 'tokens-disagree', detail }];
}
