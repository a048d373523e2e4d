import type { Gates } from '../model/experiment.ts';
import type { ConfigurationFigures, GateResult } from '../model/measurement.ts';

/** A figure this close below its threshold is at it: 2/3 - 1/6 must hold 0.5. */
const ROUNDING = 1e-9;

/** Every declared gate for every configuration; one whose figure is undefined is `unevaluable`, which is not held. */
export function gateResults(gates: Gates, configurations: readonly ConfigurationFigures[]): GateResult[] {
  return configurations.flatMap((figures) => [
    ...result(figures, {
      gate: 'coverage',
      threshold: gates.minCoverage,
      value: coverageOf(figures),
      what: 'share of planned trials that were scored',
    }),
    ...result(figures, { gate: 'gain', threshold: gates.minGain, value: figures.gain.value, what: 'gain' }),
    ...result(figures, {
      gate: 'pass-rate',
      threshold: gates.minPassRate,
      value: treatmentRate(figures),
      what: `${figures.treatment} pass rate`,
    }),
  ]);
}

interface Check {
  readonly gate: string;
  readonly threshold: number | undefined;
  readonly value: number | null;
  readonly what: string;
}

function result(
  { configuration }: ConfigurationFigures,
  { gate, threshold, value, what }: Check,
): GateResult[] {
  if (threshold === undefined) return [];
  if (value === null) {
    return [{ gate, configuration, state: 'unevaluable', value, threshold, message: `${what} is undefined` }];
  }
  const isHeld = value >= threshold - ROUNDING;
  const message = `${what} ${isHeld ? 'reaches' : 'is below'} the threshold`;
  return [{ gate, configuration, state: isHeld ? 'held' : 'failed', value, threshold, message }];
}

function coverageOf({ arms }: ConfigurationFigures): number | null {
  const total = (count: 'planned' | 'scored') => arms.reduce((sum, arm) => sum + arm.counts[count], 0);
  return total('planned') === 0 ? null : total('scored') / total('planned');
}

function treatmentRate({ arms, treatment }: ConfigurationFigures): number | null {
  return arms.find((arm) => arm.condition === treatment)?.passRate.value ?? null;
}
