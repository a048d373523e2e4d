import type { Configuration } from '../model/configuration.ts';
import type { Experiment } from '../model/experiment.ts';
import type { Harness } from '../model/harness.ts';
import type { Problem } from '../model/problem.ts';
import { modelPrice } from '../price/model-price.ts';
import type { LocatedFile } from './located-file.ts';

/** A budget in dollars holds nobody to it whose model has no known price: each such configuration is a problem. Scripts have no price. */
export function checkMoneyBudgets(
  file: LocatedFile<Experiment>,
  from: {
    readonly configurations: readonly Configuration[];
    readonly harnesses: ReadonlyMap<string, Harness>;
  },
): Problem[] {
  const { budgets, mode } = file.value.models;
  const scope = (['trial', 'configuration', 'run'] as const).find((name) => budgets[name].usd !== undefined);
  if (scope === undefined || mode === 'scripted') return [];
  return from.configurations.flatMap(({ harness, model }, index): Problem[] => {
    const protocol = from.harnesses.get(harness)?.manifest.protocol;
    if (protocol === undefined || model === undefined) return [];
    if (modelPrice({ input: 1, output: 1 }, { protocol, model }) !== undefined) return [];
    return [
      {
        severity: 'error',
        message: `models.budgets.${scope}.usd cannot hold the model "${model}": its price is not known`,
        where: file.locate(['configurations', index, 'model']),
        repair: `write the provider's own name of the model, or a budget of tokens in the place of dollars: models.budgets.${scope}.tokens`,
      },
    ];
  });
}
