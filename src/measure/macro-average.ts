import type { ConfigurationName } from '../model/ids.ts';
import type { ConfigurationFigures, OverallFigures } from '../model/measurement.ts';
import { gain, normalizedGain } from './gain.ts';
import { passRate } from './pass-rate.ts';

/** Both rates of one configuration, over the same tasks. */
export interface ConfigurationRates {
  readonly noSkills: number;
  readonly withSkills: number;
}

/** The averages over configurations, each configuration alike. */
export type MacroAverage = Omit<OverallFigures, 'leftOut'>;

/**
 * Macro average over configurations. The mean of their normalized gains and the normalized gain of their mean
 * rates are two figures (25.5 % and 25.1 % on the public SkillsBench results), and both are given by name.
 */
export function macroAverage(rates: readonly ConfigurationRates[]): MacroAverage {
  const noSkills = passRate(rates.map((rate) => rate.noSkills));
  const withSkills = passRate(rates.map((rate) => rate.withSkills));
  const normalized = rates.flatMap((rate) => normalizedGain(rate.noSkills, rate.withSkills) ?? []);
  return {
    configurations: rates.length,
    noSkills,
    withSkills,
    gain: gain(noSkills, withSkills),
    meanNormalizedGain: {
      value: passRate(normalized),
      defined: normalized.length,
      undefinedConfigurations: rates.length - normalized.length,
    },
    normalizedGainOfMeans: normalizedGain(noSkills, withSkills),
  };
}

/** The macro average of measured configurations; controls and those without a gain are left out, by name. */
export function overallFigures(configurations: readonly ConfigurationFigures[]): OverallFigures {
  const leftOut: ConfigurationName[] = [];
  const rates: ConfigurationRates[] = [];
  for (const { configuration, control, arms } of configurations) {
    const noSkills = arms.find((arm) => arm.condition === 'no-skills')?.passRate.value ?? null;
    const withSkills = arms.find((arm) => arm.condition === 'with-skills')?.passRate.value ?? null;
    if (control || noSkills === null || withSkills === null) leftOut.push(configuration);
    else rates.push({ noSkills, withSkills });
  }
  return { ...macroAverage(rates), leftOut };
}
