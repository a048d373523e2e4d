import type { ModelSettings } from '../model/model-settings.ts';
import { BudgetScope } from './budget-scope.ts';
import type { Admission } from './gateway.ts';

/** The budgets of one run: one for all trials, one for each configuration, and one for each attempt. */
export class Budgets {
  readonly #settings: ModelSettings['budgets'];
  readonly #run: BudgetScope;
  readonly #configurations = new Map<string, BudgetScope>();

  constructor({ budgets }: ModelSettings) {
    this.#settings = budgets;
    this.#run = new BudgetScope('the run', budgets.run);
  }

  /** A trial's budget is anew for each attempt: a first one that broke off must not shorten the second. */
  of({ trial, configuration }: Admission): readonly BudgetScope[] {
    let shared = this.#configurations.get(configuration);
    shared ??= new BudgetScope(`configuration ${configuration}`, this.#settings.configuration);
    this.#configurations.set(configuration, shared);
    return [new BudgetScope(`trial ${trial}`, this.#settings.trial), shared, this.#run];
  }
}
