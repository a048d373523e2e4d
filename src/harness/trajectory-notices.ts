import type { AgentResult, Notice } from '../model/attempt.ts';
import type { EventCounts } from './json-events.ts';
import type { StepClock } from './step-clock.ts';

/** Shorter silence before a limit is what models need to answer. */
const SILENCE_MS = 10_000;

/** What was odd in a program's output and changes nothing. */
export function trajectoryNotices(
  agent: AgentResult,
  read: {
    readonly counts: EventCounts;
    readonly clock: StepClock;
    readonly toolCalls: number;
    readonly completed: boolean;
  },
): Notice[] {
  const notices = eventNotices(read.counts);
  if (read.completed && read.toolCalls === 0) {
    notices.push({ code: 'no-tool-use', detail: 'the agent completed without calling a tool' });
  }
  return [...notices, ...silence(agent, read.clock)];
}

/** What was odd in the lines themselves. */
export function eventNotices({ torn, unknown }: Pick<EventCounts, 'torn' | 'unknown'>): Notice[] {
  const notices: Notice[] = [];
  if (torn) {
    notices.push({ code: 'trajectory-torn', detail: "the last line of the harness's output is cut off" });
  }
  if (unknown > 0) {
    notices.push({
      code: 'trajectory-unknown-events',
      detail: `${unknown} lines of the harness's output are no event that is known`,
    });
  }
  return notices;
}

/**
 * Time without an event before a limit ended the agent. The program's clock gives differences only, so its start-up
 * counts as silence too: the figure is an upper bound.
 */
function silence(agent: AgentResult, clock: StepClock): Notice[] {
  if (agent.ending !== 'timed-out' || clock.spanMs === undefined) return [];
  const silentMs = agent.durationMs - clock.spanMs;
  if (silentMs < SILENCE_MS) return [];
  const seconds = Math.round(silentMs / 1000);
  return [{ code: 'silent-time', detail: `no event in the last ${seconds} s before the time limit` }];
}
