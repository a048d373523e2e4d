import type { ConditionName, ConfigurationName } from '../model/ids.ts';
import type { ConfigurationFigures } from '../model/measurement.ts';
import type { OverallFigures } from '../model/overall-figures.ts';
import { gain, normalizedGain } from './gain.ts';
import { overallSlices } from './overall-slices.ts';
import { passRate } from './pass-rate.ts';
import type { TaskSlices } from './slice-keys.ts';
import { taskAverages } from './task-averages.ts';
import { overallUncertainty } from './uncertainty/overall-uncertainty.ts';

/** Both rates of one configuration, over the same tasks. */
export interface ConfigurationRates {
  readonly baseline: number;
  readonly treatment: number;
}

/** The averages over configurations, each configuration alike. */
export type MacroAverage = Pick<
  OverallFigures,
  'configurations' | 'baseline' | 'treatment' | 'gain' | 'meanNormalizedGain' | 'normalizedGainOfMeans'
>;

/**
 * Macro average over configurations. The mean of their normalized gains and the normalized gain of their mean
 * rates are two figures (25.5 % and 25.1 % on the public SkillsBench results), and both are given by name.
 */
export function macroAverage(rates: readonly ConfigurationRates[]): MacroAverage {
  const baseline = passRate(rates.map((rate) => rate.baseline));
  const treatment = passRate(rates.map((rate) => rate.treatment));
  const normalized = rates.flatMap((rate) => normalizedGain(rate.baseline, rate.treatment) ?? []);
  return {
    configurations: rates.length,
    baseline,
    treatment,
    gain: gain(baseline, treatment),
    meanNormalizedGain: {
      value: passRate(normalized),
      defined: normalized.length,
      undefinedConfigurations: rates.length - normalized.length,
    },
    normalizedGainOfMeans: normalizedGain(baseline, treatment),
  };
}

/** The macro average of measured configurations; controls and those without a gain are left out, by name. */
export function overallFigures(
  configurations: readonly ConfigurationFigures[],
  slices: readonly TaskSlices[],
  seed: number,
): OverallFigures {
  const leftOut: ConfigurationName[] = [];
  const included: ConfigurationFigures[] = [];
  const rates: ConfigurationRates[] = [];
  for (const figures of configurations) {
    const { configuration, control, arms } = figures;
    const rateOf = (condition: ConditionName) =>
      arms.find((arm) => arm.condition === condition)?.passRate.value ?? null;
    const [baseline, treatment] = [rateOf(figures.baseline), rateOf(figures.treatment)];
    if (control || baseline === null || treatment === null) leftOut.push(configuration);
    else {
      rates.push({ baseline, treatment });
      included.push(figures);
    }
  }
  return {
    ...macroAverage(rates),
    leftOut,
    ...taskAverages(included),
    ...overallUncertainty(included),
    slices: overallSlices(included, slices, seed),
  };
}
