import type { Budget } from '../model/model-settings.ts';
import type { TokenUsage } from '../model/model-use.ts';

/** What has been spent of one budget, by everybody whom it holds for. */
export class BudgetScope {
  /** In words, for messages: `the run`, `configuration sonnet`. */
  readonly name: string;
  readonly #budget: Budget;
  readonly #members = new Set<(detail: string) => void>();
  #requests = 0;
  #tokens = 0;
  #usd = 0;
  #closed: string | undefined;

  constructor(name: string, budget: Budget) {
    this.name = name;
    this.#budget = budget;
  }

  /** Calls back once, at once where the budget is used up already. Disposing leaves. */
  join(onUsedUp: (detail: string) => void): Disposable {
    this.#members.add(onUsedUp);
    if (this.#closed !== undefined) onUsedUp(this.#closed);
    return { [Symbol.dispose]: () => this.#members.delete(onUsedUp) };
  }

  /**
   * What forbids one more request, in words. Somebody who asks for more than there is closes the budget, and it ends for all of its members
   * alike; a last answer that overdraws it harms nobody who needs no more.
   */
  refusal(): string | undefined {
    this.#closed ??= this.#usedUp();
    if (this.#closed === undefined) return undefined;
    for (const tell of this.#members) tell(this.#closed);
    return this.#closed;
  }

  countRequest(): void {
    this.#requests++;
  }

  countUsage(usage: TokenUsage, usd: number | undefined): void {
    this.#tokens += (usage.input ?? 0) + (usage.output ?? 0);
    this.#usd += usd ?? 0;
  }

  #usedUp(): string | undefined {
    const { requests, tokens, usd } = this.#budget;
    if (requests !== undefined && this.#requests >= requests) return this.#words(requests, 'requests');
    if (tokens !== undefined && this.#tokens >= tokens) {
      return `${this.#words(tokens, 'tokens')}: ${this.#tokens} were spent`;
    }
    if (usd !== undefined && this.#usd >= usd) {
      return `${this.#words(usd, 'US dollars')}: ${this.#usd.toFixed(4)} were spent`;
    }
    return undefined;
  }

  #words(limit: number, unit: string): string {
    return `the budget of ${this.name}, ${limit} ${unit}, is used up`;
  }
}
