import type { AttemptRecord } from '../model/attempt.ts';
import type { ProviderSettings } from '../model/model-settings.ts';
import { type ResourceFigures, ResourceKind } from '../model/resource-figures.ts';
import { attemptPrice } from '../price/attempt-price.ts';
import type { ArmResults } from './arm-results.ts';
import type { TaskArms } from './pairing.ts';
import { mean } from './pass-rate.ts';
import { studentQuantile } from './uncertainty/student-t.ts';

type Providers = Readonly<Record<string, ProviderSettings>>;

/**
 * What the scored trials of both arms took, and the difference paired by task. A value that is not known (no model was asked, no answer
 * carried the count, there is no price) is left out and never 0; a resource that no task has in both arms is left out whole.
 */
export function resourceFigures(tasks: readonly TaskArms[], providers: Providers): ResourceFigures[] {
  return ResourceKind.options.flatMap((resource) => {
    const pairs = tasks.flatMap(({ baseline, treatment }) => {
      const [without, withIt] = [baseline, treatment].map((arm) => armMean(arm, resource, providers));
      return without === null || without === undefined || withIt === null || withIt === undefined
        ? []
        : [{ without, withIt, difference: withIt - without }];
    });
    return pairs.length === 0 ? [] : [{ resource, ...differenceOf(pairs) }];
  });
}

interface Paired {
  readonly without: number;
  readonly withIt: number;
  readonly difference: number;
}

function differenceOf(pairs: readonly Paired[]): Omit<ResourceFigures, 'resource'> {
  const differences = pairs.map(({ difference }) => difference);
  const difference = mean(differences) ?? 0;
  const squares = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0);
  const tasks = pairs.length;
  const half =
    tasks < 2 ? null : studentQuantile(0.975, tasks - 1) * Math.sqrt(squares / (tasks - 1) / tasks);
  return {
    tasks,
    baseline: mean(pairs.map(({ without }) => without)) ?? 0,
    treatment: mean(pairs.map(({ withIt }) => withIt)) ?? 0,
    difference,
    differenceInterval: half === null ? null : { low: difference - half, high: difference + half },
  };
}

/** Sorted before they are summed, so that the order of records changes no digit. */
function armMean({ records }: ArmResults, resource: ResourceKind, providers: Providers): number | null {
  const values = records.flatMap(({ counted }) =>
    counted?.outcome.kind === 'scored' ? (amountOf(counted, resource, providers) ?? []) : [],
  );
  return mean(values.sort((a, b) => a - b));
}

function amountOf(attempt: AttemptRecord, resource: ResourceKind, providers: Providers): number | undefined {
  switch (resource) {
    case 'agent-ms':
      return attempt.agent?.durationMs;
    case 'attempt-ms':
      return attempt.durationMs;
    case 'requests':
      return attempt.modelUse?.requests;
    case 'input-tokens':
      return attempt.modelUse?.usage.input;
    case 'cached-input-tokens':
      return attempt.modelUse?.usage.cachedInput;
    case 'output-tokens':
      return attempt.modelUse?.usage.output;
    case 'usd':
      return attemptPrice(attempt, providers);
  }
}
