import type { RunLock } from '../model/run-lock.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { attemptPrice } from '../price/attempt-price.ts';

/** What a column of models is made from. */
interface Row {
  readonly lock: RunLock;
  readonly record: TrialRecord;
}

/** The columns of trials.csv on models; all are empty for a trial that was let to none. */
export const MODEL_COLUMNS: readonly { name: string; meaning: string; value: (row: Row) => unknown }[] = [
  {
    name: 'model_requests',
    meaning: 'requests to models in that attempt; empty where it was let to none',
    value: ({ record }) => useOf(record)?.requests,
  },
  {
    name: 'input_tokens',
    meaning: 'everything read in that attempt; empty where no answer said',
    value: ({ record }) => useOf(record)?.usage.input,
  },
  {
    name: 'cached_input_tokens',
    meaning: 'the part of it that came from a cache',
    value: ({ record }) => useOf(record)?.usage.cachedInput,
  },
  {
    name: 'output_tokens',
    meaning: 'everything written in that attempt',
    value: ({ record }) => useOf(record)?.usage.output,
  },
  {
    name: 'usd',
    meaning: 'US dollars of that attempt; empty where they are unknown or a script answered',
    value: ({ lock, record }) => pricesOf(lock, record.counted === undefined ? [] : [record.counted]),
  },
  {
    name: 'usd_all_attempts',
    meaning: 'US dollars of all attempts; empty where those of one are unknown',
    value: ({ lock, record }) => pricesOf(lock, record.attempts),
  },
  {
    name: 'served_model',
    meaning: 'the models that answered in that attempt, by their answers',
    value: ({ record }) => useOf(record)?.servedModels.join(' ') || undefined,
  },
];

function useOf({ counted }: TrialRecord) {
  return counted?.modelUse;
}

/** Attempts that never came to a model cost nothing, and without any that did there is no sum. */
function pricesOf({ experiment }: RunLock, attempts: TrialRecord['attempts']): number | undefined {
  const admitted = attempts.filter(({ modelUse }) => modelUse !== undefined);
  if (admitted.length === 0) return undefined;
  const prices = admitted.flatMap((attempt) => attemptPrice(attempt, experiment.models.providers) ?? []);
  return prices.length < admitted.length ? undefined : prices.reduce((sum, usd) => sum + usd, 0);
}
