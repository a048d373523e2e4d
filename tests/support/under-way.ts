import type { Rig } from './rig.ts';

interface Line {
  readonly kind: string;
  readonly phase?: string;
  readonly trial?: string;
}

/** The phases that had begun and not ended when a run broke off, by its journal. */
export async function underWay(rig: Rig, run: string): Promise<string> {
  const text = await rig.read(`runs/${run}/events.jsonl`).catch(() => '');
  if (text === '') return 'no run yet';
  const open = new Map<string, Set<string>>();
  for (const line of text.split('\n').slice(0, -1)) take(JSON.parse(line) as Line, open);
  const phases = new Set([...open.values()].flatMap((of) => [...of]));
  return phases.size === 0 ? 'no phase' : [...phases].sort().join(' and ');
}

function take({ kind, phase = '', trial = '' }: Line, open: Map<string, Set<string>>): void {
  if (kind === 'run-started') open.clear();
  if (kind === 'trial-started') open.set(trial, new Set());
  if (kind === 'trial-ended') open.delete(trial);
  if (kind === 'phase-started') open.get(trial)?.add(phase);
  if (kind === 'phase-ended') open.get(trial)?.delete(phase);
}
