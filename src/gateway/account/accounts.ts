import type { Random } from '../../base/random.ts';
import type { ModelMode, ModelSettings } from '../../model/model-settings.ts';
import type { Clock } from '../clock.ts';
import { Account } from './account.ts';

/** Providers are asked in these modes only; scripts and cassettes have neither limit nor key. */
const ASKS_PROVIDERS: Readonly<Record<ModelMode, boolean>> = {
  live: true,
  record: true,
  replay: false,
  scripted: false,
};

/** The accounts of one run: what a provider has taught one trial holds for all. */
export class Accounts {
  readonly #settings: ModelSettings;
  readonly #time: { readonly clock: Clock; readonly random: Random };
  readonly #accounts = new Map<string, Account>();

  constructor(settings: ModelSettings, time: { readonly clock: Clock; readonly random: Random }) {
    this.#settings = settings;
    this.#time = time;
  }

  /** One for each name; undefined where no provider is asked. */
  of(provider: string): Account | undefined {
    if (!ASKS_PROVIDERS[this.#settings.mode]) return undefined;
    const known = this.#accounts.get(provider);
    if (known !== undefined) return known;
    const { maxConcurrent, requestsPerMinute } = this.#settings.providers[provider] ?? {};
    const account = new Account({ ...this.#time, maxConcurrent, requestsPerMinute });
    this.#accounts.set(provider, account);
    return account;
  }
}
