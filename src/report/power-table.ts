import type { DesignPower, PlannedPower } from '../model/planned-power.ts';
import { formatCount, formatMany, formatPlainPoints } from './format.ts';
import { textColumns } from './text-columns.ts';

/** What a planned experiment could show, before it costs anything. */
export function renderPower({ assumed, source, design, others }: PlannedPower): string {
  const { tasks, trials } = design;
  const answer =
    design.detectableGain === null
      ? 'fewer than two tasks show no gain'
      : `smallest gain of a configuration found in 80 of 100 such runs: ${formatPlainPoints(design.detectableGain)}`;
  return [
    `${formatMany(tasks, 'task')}, ${formatMany(trials, 'trial')} per task and arm: ${answer}`,
    `assumed: trials differ by ${formatPlainPoints(assumed.trialSd)} (sd), gains of tasks by ${formatPlainPoints(assumed.gainSdByTask)}: ${source}`,
    '',
    textColumns(['tasks', 'trials', 'smallest gain'], others.map(row)),
  ].join('\n');
}

function row({ tasks, trials, detectableGain }: DesignPower): string[] {
  return [formatCount(tasks), formatCount(trials), formatPlainPoints(detectableGain)];
}
