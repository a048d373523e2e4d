import { RunEvent } from '../../src/model/event.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { unscored, verdict } from './synthetic-run.ts';

/** Builds an event at a second of one evening; the schema checks it. */
export function event(second: number, fields: Record<string, unknown>): RunEvent {
  return RunEvent.parse({
    at: new Date(Date.parse('2026-11-29T21:00:00Z') + second * 1000).toISOString(),
    ...fields,
  });
}

/** The end of a trial's only attempt. */
export function trialEnded(second: number, trial: string, outcome: Outcome = verdict(true)): RunEvent {
  return event(second, { kind: 'trial-ended', trial, attempt: 1, outcome, durationMs: 61_200, final: true });
}

/** The start of a run of some trials. */
export function runStarted(toRun: number): RunEvent {
  return event(0, { kind: 'run-started', run: 'demo-1', planned: toRun, toRun, resumed: false });
}

/** A run in which every kind of event occurs, with terminal escapes in everything an agent could have written. */
export const EVERY_EVENT: readonly RunEvent[] = [
  runStarted(2),
  event(1, { kind: 'build-started', what: 'image of A' }),
  event(2, { kind: 'build-ended', what: 'image of A', durationMs: 950, cached: false }),
  event(3, { kind: 'trial-started', trial: 'A/no-skills/1/literal', attempt: 1 }),
  event(3, { kind: 'phase-started', trial: 'A/no-skills/1/literal', attempt: 1, phase: 'agent' }),
  event(5, {
    kind: 'phase-ended',
    trial: 'A/no-skills/1/literal',
    attempt: 1,
    phase: 'agent',
    durationMs: 2000,
  }),
  event(6, {
    kind: 'trial-ended',
    trial: 'A/no-skills/1/literal',
    attempt: 1,
    outcome: unscored('runtime-lost', 'socket \u001b[31mhang up\u001b[0m\nsecond line\u0007'),
    durationMs: 3000,
    final: false,
  }),
  event(7, { kind: 'notice', message: 'engine \u001b]0;title\u0007is back' }),
  event(8, { kind: 'trial-started', trial: 'A/no-skills/1/literal', attempt: 2 }),
  event(9, {
    kind: 'trial-ended',
    trial: 'A/no-skills/1/literal',
    attempt: 2,
    outcome: verdict(false),
    durationMs: 900,
    final: true,
  }),
  trialEnded(10, 'A/with-skills/1/literal'),
  event(11, { kind: 'run-ended', run: 'demo-1', reason: 'done' }),
];
