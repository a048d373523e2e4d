import { mean } from '../pass-rate.ts';

/** Rates of one task in both arms; means over configurations may lie a little outside [0, 1]. */
export interface TaskRates {
  readonly baseline: number;
  readonly treatment: number;
}

/** How tasks differ: means and variances of the arms' rates over tasks, and how the arms go together. */
export interface TaskSpread {
  /** At least 2. */
  readonly tasks: number;
  readonly baseline: ArmSpread;
  readonly treatment: ArmSpread;
  /** Correlation of the arms over tasks, in [-1, 1]; 0 where one of them is the same in all tasks. */
  readonly correlation: number;
  /** Variance of the gain over tasks. */
  readonly gainVariance: number;
}

/** One arm over tasks. */
export interface ArmSpread {
  readonly mean: number;
  /** Of one task's rate over tasks, trial luck included: its mean over n tasks varies by the n-th part. */
  readonly variance: number;
  /** Scored trials of one task, on average: as much as tasks that are all alike would tell. */
  readonly trialsPerTask: number;
}

/** Rates that differ by less are equal but for rounding. */
const ROUNDING = 1e-12;

/** How one arm's rates differ over at least two tasks. */
export function armSpread(rates: readonly number[], trialsPerTask: number): ArmSpread {
  const middle = mean(rates) ?? 0;
  const squares = rates.reduce((sum, rate) => sum + (rate - middle) ** 2, 0);
  return { mean: middle, variance: squares / (rates.length - 1), trialsPerTask };
}

/** The spread of both arms over tasks, in a fixed order; `null` under two tasks. */
export function taskSpread(
  rates: readonly TaskRates[],
  trialsPerTask: { readonly baseline: number; readonly treatment: number },
): TaskSpread | null {
  const tasks = rates.length;
  if (tasks < 2) return null;
  const arm = (name: 'baseline' | 'treatment') =>
    armSpread(
      rates.map((rate) => rate[name]),
      trialsPerTask[name],
    );
  const [baseline, treatment] = [arm('baseline'), arm('treatment')];
  const products = rates.reduce(
    (sum, rate) => sum + (rate.baseline - baseline.mean) * (rate.treatment - treatment.mean),
    0,
  );
  const covariance = products / (tasks - 1);
  const spread = Math.sqrt(baseline.variance * treatment.variance);
  return {
    tasks,
    baseline,
    treatment,
    correlation: spread < ROUNDING ? 0 : Math.max(-1, Math.min(1, covariance / spread)),
    gainVariance: Math.max(0, baseline.variance + treatment.variance - 2 * covariance),
  };
}
