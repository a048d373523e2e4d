import type { Gates } from '../model/experiment.ts';
import type { ConfigurationFigures, GateResult } from '../model/measurement.ts';
import type { Interval } from '../model/uncertainty.ts';

/** A figure this close to its threshold is at it: 2/3 - 1/6 must hold 0.5. */
const ROUNDING = 1e-9;
const LOWER_END = 'lower end of the 95 % interval';

/** Every declared gate for every configuration; one whose figure is undefined is `unevaluable`, which is not held. */
export function gateResults(gates: Gates, configurations: readonly ConfigurationFigures[]): GateResult[] {
  return configurations.flatMap((figures) => [
    ...result(figures, {
      gate: 'coverage',
      threshold: gates.minCoverage,
      value: coverageOf(figures),
      what: 'share of planned trials that were scored',
    }),
    ...result(figures, {
      gate: 'gain',
      threshold: gates.minGain,
      ...held(gates, 'gain', { value: figures.gain.value, interval: figures.gainInterval }),
    }),
    ...result(figures, { gate: 'pass-rate', threshold: gates.minPassRate, ...passRate(gates, figures) }),
    ...result(figures, { gate: 'task-gain', threshold: gates.minTaskGain, ...worstTask(figures) }),
    ...result(figures, {
      gate: 'usd',
      threshold: gates.maxUsd,
      value: usdOf(figures),
      what: 'money of all attempts',
      most: true,
    }),
  ]);
}

interface Check {
  readonly gate: string;
  readonly threshold: number | undefined;
  readonly value: number | null;
  readonly what: string;
  /** The threshold is the largest value, not the smallest. */
  readonly most?: boolean;
}

function result(
  { configuration }: ConfigurationFigures,
  { gate, threshold, value, what, most = false }: Check,
): GateResult[] {
  if (threshold === undefined) return [];
  if (value === null) {
    return [{ gate, configuration, state: 'unevaluable', value, threshold, message: `${what} is undefined` }];
  }
  const isHeld = most ? value <= threshold + ROUNDING : value >= threshold - ROUNDING;
  const [good, bad] = most ? ['keeps to', 'is above'] : ['reaches', 'is below'];
  const message = `${what} ${isHeld ? good : bad} the threshold`;
  return [{ gate, configuration, state: isHeld ? 'held' : 'failed', value, threshold, message }];
}

/** The figure, or the lower end of its interval, as the experiment asks for. */
function held(
  { evidence }: Gates,
  what: string,
  figure: { readonly value: number | null; readonly interval: Interval | null },
): Pick<Check, 'value' | 'what'> {
  if (evidence !== 'interval') return { value: figure.value, what };
  return { value: figure.interval?.low ?? null, what: `${LOWER_END} of the ${what}` };
}

function passRate(gates: Gates, { arms, treatment }: ConfigurationFigures): Pick<Check, 'value' | 'what'> {
  const arm = arms.find(({ condition }) => condition === treatment);
  const figure = { value: arm?.passRate.value ?? null, interval: arm?.passRateInterval ?? null };
  return held(gates, `${treatment} pass rate`, figure);
}

function worstTask({ tasks }: ConfigurationFigures): Pick<Check, 'value' | 'what'> {
  const known = tasks.flatMap(({ task, gain }) => (gain === null ? [] : [{ task, gain }]));
  const [worst] = known.toSorted((a, b) => a.gain - b.gain || (a.task < b.task ? -1 : 1));
  if (worst === undefined) return { value: null, what: 'smallest gain of a task' };
  return { value: worst.gain, what: `gain of ${worst.task}, the smallest of a task,` };
}

function coverageOf({ arms }: ConfigurationFigures): number | null {
  const total = (count: 'planned' | 'scored') => arms.reduce((sum, arm) => sum + arm.counts[count], 0);
  return total('planned') === 0 ? null : total('scored') / total('planned');
}

/** Nothing where nobody asked a model; `null` where some attempt has no known price. */
function usdOf({ models = [] }: ConfigurationFigures): number | null {
  const sums = models.map(({ all }) => all.usd);
  if (sums.some(({ unknownAttempts }) => unknownAttempts > 0)) return null;
  return sums.reduce((sum, { known }) => sum + (known ?? 0), 0);
}
