import type { Plan, Trial } from '../model/trial.ts';
import { formatMany } from './format.ts';
import { textColumns } from './text-columns.ts';

/** An image or bundle that a run needs. */
export interface PlannedImage {
  readonly what: string;
  /** Whether it is there; undefined where nobody could be asked. */
  readonly exists: boolean | undefined;
  /** Worth knowing, no obstacle. */
  readonly remark?: string | undefined;
  /** Why it cannot be had. */
  readonly problem?: string | undefined;
}

/** What a run would do: counts, every trial in the order of its start, and every image with what would happen to it. */
export function renderPlan({
  plan,
  images,
}: {
  readonly plan: Plan;
  readonly images: readonly PlannedImage[];
}): string {
  const { trials } = plan;
  const distinct = (part: 'task' | 'condition' | 'configuration') =>
    formatMany(new Set(trials.map((trial) => trial[part])).size, part);
  const counts = [
    formatMany(trials.length, 'trial'),
    distinct('task'),
    distinct('condition'),
    distinct('configuration'),
    `seed ${plan.seed}`,
  ];
  return [counts.join(', '), '', trialTable(trials), '', ...images.map(imageLine)].join('\n');
}

function trialTable(trials: readonly Trial[]): string {
  const rows = trials.map(({ task, condition, index, configuration }, place) => [
    String(place + 1),
    task,
    condition,
    String(index),
    configuration,
  ]);
  return textColumns(['#', 'task', 'condition', 'trial', 'configuration'], rows);
}

function imageLine({ what, exists, problem, remark }: PlannedImage): string {
  if (problem !== undefined) return `cannot be had: ${what}: ${problem}`;
  const state = exists === true ? 'there' : exists === false ? 'to build' : 'to build, as far as can be told';
  return `${state}: ${what}${remark === undefined ? '' : ` (${remark})`}`;
}
