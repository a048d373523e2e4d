import { calcPrice } from '@pydantic/genai-prices';
import type { ModelProtocol } from '../model/model-protocol.ts';
import type { TokenUsage } from '../model/model-use.ts';

/** The table's names for those whose protocols harnesses speak. */
const PROVIDERS: Readonly<Record<ModelProtocol, string>> = {
  'anthropic-messages': 'anthropic',
  'openai-responses': 'openai',
  'openai-chat': 'openai',
  gemini: 'google',
};

/**
 * US dollars for the tokens of one model, by the dated table of genai-prices (its version is in package.json); undefined for a model
 * that the table does not know, where input or output was not counted, and for counts that contradict each other (more from a cache
 * than was read at all). Never 0 for "unknown".
 */
export function modelPrice(
  usage: TokenUsage,
  of: { readonly protocol: ModelProtocol | undefined; readonly model: string; readonly at?: Date },
): number | undefined {
  if (usage.input === undefined || usage.output === undefined) return undefined;
  if ((usage.cachedInput ?? 0) + (usage.cacheWrite ?? 0) > usage.input) return undefined;
  const found = calcPrice(
    {
      input_tokens: usage.input,
      output_tokens: usage.output,
      ...(usage.cachedInput === undefined ? {} : { cache_read_tokens: usage.cachedInput }),
      ...(usage.cacheWrite === undefined ? {} : { cache_write_tokens: usage.cacheWrite }),
    },
    of.model,
    {
      ...(of.protocol === undefined ? {} : { providerId: PROVIDERS[of.protocol] }),
      ...(of.at === undefined ? {} : { timestamp: of.at }),
    },
  );
  return found?.total_price;
}
