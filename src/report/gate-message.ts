import type { GateResult } from '../model/measurement.ts';
import { formatPoints, formatRate } from './format.ts';

/** What a gate found, with its numbers: `gain +2.1 pp is below +5.0 pp`. */
export function gateMessage({ gate, state, value, threshold, message }: GateResult): string {
  const figure = gate === 'gain' ? formatPoints : formatRate;
  if (state === 'unevaluable') return `${message}; the threshold is ${figure(threshold)}`;
  return `${gate} ${figure(value)} ${state === 'held' ? 'reaches' : 'is below'} ${figure(threshold)}`;
}
