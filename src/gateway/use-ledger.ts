import type { ModelMode } from '../model/model-settings.ts';
import type { ModelRequestRecord, ModelUse, TokenUsage } from '../model/model-use.ts';

const COUNTS = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const;

/** Sums an attempt's requests. */
export class UseLedger {
  readonly #mode: ModelMode;
  readonly #provider: string;
  #requests = 0;
  #failedRequests = 0;
  #retries = 0;
  #waitedMs = 0;
  #usage: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } = {};
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
    for (const name of COUNTS) {
      const count = record.usage?.[name];
      if (count !== undefined) this.#usage[name] = (this.#usage[name] ?? 0) + count;
    }
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
      removedTools: [...this.#removed],
    };
  }
}
