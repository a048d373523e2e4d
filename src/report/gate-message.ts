import type { GateResult } from '../model/measurement.ts';
import { formatPoints, formatRate, formatUsd } from './format.ts';

/** What a gate found, with its numbers: `gain +2.1 pp is below +5.0 pp`. */
export function gateMessage({ gate, state, value, threshold, message }: GateResult): string {
  if (state === 'unevaluable' || value === null)
    return `${message}; the threshold is ${figure(gate, threshold)}`;
  const [good, bad] = gate === 'usd' ? ['keeps to', 'is above'] : ['reaches', 'is below'];
  const numbers = `${gate} ${figure(gate, value)} ${state === 'held' ? good : bad} ${figure(gate, threshold)}`;
  return tellsMore(gate, message) ? `${numbers}: ${message}` : numbers;
}

/** Whether the words name a task, or another figure than the gate's own. */
function tellsMore(gate: string, message: string): boolean {
  return gate === 'task-gain' || message.startsWith('lower end');
}

function figure(gate: string, value: number): string {
  if (gate === 'usd') return `$${formatUsd(value)}`;
  return gate === 'gain' || gate === 'task-gain' ? formatPoints(value) : formatRate(value);
}
