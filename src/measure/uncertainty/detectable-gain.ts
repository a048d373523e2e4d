import { studentQuantile } from './student-t.ts';

const UPPER = 0.975;
/** Share of such experiments that would find it. */
const POWER = 0.8;

/**
 * The smallest true gain that an experiment of so many tasks finds in 80 of 100 goes (its 95 % interval then leaves 0 out); `gainVariance` is
 * that of one task's gain over tasks, the luck of trials included. `null` under two tasks.
 */
export function detectableGain(tasks: number, gainVariance: number): number | null {
  if (tasks < 2) return null;
  const quantiles = studentQuantile(UPPER, tasks - 1) + studentQuantile(POWER, tasks - 1);
  return quantiles * Math.sqrt(gainVariance / tasks);
}
