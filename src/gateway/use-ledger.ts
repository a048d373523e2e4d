import type { ModelMode } from '../model/model-settings.ts';
import type { ModelRequestRecord, ModelUse, TokenUsage } from '../model/model-use.ts';

const COUNTS = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const;

type Sum = { -readonly [K in keyof TokenUsage]: TokenUsage[K] };

/** Sums an attempt's requests. */
export class UseLedger {
  readonly #mode: ModelMode;
  readonly #provider: string;
  #requests = 0;
  #failedRequests = 0;
  #retries = 0;
  #waitedMs = 0;
  readonly #usage: Sum = {};
  readonly #byModel = new Map<string | undefined, { usage: Sum; uncounted: number }>();
  readonly #asked = new Set<string>();
  readonly #served = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(mode: ModelMode, provider: string) {
    this.#mode = mode;
    this.#provider = provider;
  }

  add(record: ModelRequestRecord): void {
    this.#requests++;
    if (record.status === undefined || record.status >= 400) this.#failedRequests++;
    this.#retries += record.retries;
    this.#waitedMs += record.waitedMs;
    addUsage(this.#usage, record.usage);
    this.#addToModel(record);
    if (record.kind === 'generate' && record.model !== undefined) this.#asked.add(record.model);
    if (record.servedModel !== undefined) this.#served.add(record.servedModel);
    for (const tool of record.removedTools ?? []) this.#removed.add(tool);
  }

  sum(): ModelUse {
    return {
      mode: this.#mode,
      provider: this.#provider,
      requests: this.#requests,
      failedRequests: this.#failedRequests,
      retries: this.#retries,
      waitedMs: this.#waitedMs,
      askedModels: [...this.#asked],
      servedModels: [...this.#served],
      usage: { ...this.#usage },
      byModel: [...this.#byModel].map(([model, { usage, uncounted }]) => ({
        ...(model === undefined ? {} : { model }),
        usage: { ...usage },
        uncounted,
      })),
      removedTools: [...this.#removed],
    };
  }

  #addToModel(record: ModelRequestRecord): void {
    const uncounted = isUncounted(record);
    if (record.usage === undefined && !uncounted) return;
    const model = record.servedModel ?? record.model;
    const sum = this.#byModel.get(model) ?? { usage: {}, uncounted: 0 };
    this.#byModel.set(model, sum);
    addUsage(sum.usage, record.usage);
    if (uncounted) sum.uncounted++;
  }
}

function addUsage(sum: Sum, usage: TokenUsage | undefined): void {
  for (const name of COUNTS) {
    const count = usage?.[name];
    if (count !== undefined) sum[name] = (sum[name] ?? 0) + count;
  }
}

/** Refused requests cost nothing; a cut answer may have cost more than it came to say. */
function isUncounted({ kind, status, usage, fault }: ModelRequestRecord): boolean {
  if (kind !== 'generate' || (status !== undefined && status >= 400)) return false;
  return fault !== undefined || usage?.input === undefined || usage.output === undefined;
}
