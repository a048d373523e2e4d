import type { ComparedRate, ComparedTask, Movement } from '../../model/comparison.ts';
import type { ConditionName, TaskId } from '../../model/ids.ts';
import { type ArmResults, armCounts, armRate, knownRewards } from '../arm-results.ts';

/** One arm of a task in both runs. */
export function comparedTask(
  { task, condition }: { readonly task: TaskId; readonly condition: ConditionName },
  before: ArmResults,
  after: ArmResults,
): ComparedTask {
  const [was, is] = [rateOf(before), rateOf(after)];
  const change = was.rate === null || is.rate === null ? null : is.rate - was.rate;
  return {
    task,
    condition,
    before: was,
    after: is,
    change,
    movement: movement(was.rate, is.rate),
    unsteady: [before, after].some(disagrees),
  };
}

function rateOf(arm: ArmResults): ComparedRate {
  return { rate: armRate(arm, 'absent'), scored: armCounts(arm).scored };
}

function movement(before: number | null, after: number | null): Movement {
  if (before === null || after === null) return 'inconclusive';
  if (before === after) return 'same';
  if (before === 1 && after === 0) return 'lost';
  if (before === 0 && after === 1) return 'won';
  return after < before ? 'lower' : 'higher';
}

/** Of a mean it is known only where it leaves no other way. */
function disagrees(arm: ArmResults): boolean {
  const rewards = knownRewards(arm);
  if (rewards !== undefined) return new Set(rewards).size > 1;
  const rate = armRate(arm, 'absent');
  return rate !== null && rate > 0 && rate < 1;
}
