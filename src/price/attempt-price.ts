import { accountProtocol } from '../model/account-protocol.ts';
import type { AttemptRecord } from '../model/attempt.ts';
import type { ProviderSettings } from '../model/model-settings.ts';
import type { ModelUse, UseOfModel } from '../model/model-use.ts';
import { modelPrice } from './model-price.ts';

/**
 * US dollars that an attempt's tokens come to by the price table of the day on which it started. Undefined, and never 0, where any part
 * is unknown: a model without a price, an answer without counts, several models in one sum. A script's tokens have no price; those of
 * replayed answers have theirs, though nobody pays it again. Without a request: 0.
 */
export function attemptPrice(
  attempt: Pick<AttemptRecord, 'modelUse' | 'startedAt'>,
  providers: Readonly<Record<string, ProviderSettings>>,
): number | undefined {
  const { modelUse } = attempt;
  if (modelUse === undefined || modelUse.mode === 'scripted') return undefined;
  if (modelUse.requests === 0) return 0;
  const protocol = accountProtocol(modelUse.provider, providers);
  const at = new Date(attempt.startedAt);
  let sum = 0;
  for (const { model, usage, uncounted } of modelUse.byModel ?? [undividedUse(modelUse)]) {
    const price =
      model === undefined || uncounted > 0 ? undefined : modelPrice(usage, { protocol, model, at });
    if (price === undefined) return undefined;
    sum += price;
  }
  return sum;
}

/** Without sums by model there is a price only where one model alone was used. */
function undividedUse({ servedModels, askedModels, usage }: ModelUse): UseOfModel {
  const [model, ...others] = servedModels.length > 0 ? servedModels : askedModels;
  return { ...(model === undefined || others.length > 0 ? {} : { model }), usage, uncounted: 0 };
}
