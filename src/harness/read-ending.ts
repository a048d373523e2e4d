import type { AgentResult, Notice } from '../model/attempt.ts';
import type { HarnessFault, HarnessReading } from './harness.ts';
import { refusalAsAnswer } from './provider-fault.ts';

/** How a program's own event stream says that it ended. */
export type StreamEnd =
  | { readonly kind: 'completed'; readonly finalText?: string | undefined }
  /** A limit of the program's own (turns, money). */
  | { readonly kind: 'inner-limit'; readonly detail: string }
  /** The agent failed by itself (its context overflowed): what it left is scored. */
  | { readonly kind: 'gave-up'; readonly detail: string }
  /** The provider, or the program itself. */
  | { readonly kind: 'fault'; readonly fault: HarnessFault };

/** What a state machine over one program's stream came to. */
export interface StreamAccount {
  /** As users know it, for messages. */
  readonly program: string;
  readonly started: boolean;
  readonly end?: StreamEnd | undefined;
  /** The provider's refusal after which nothing has come but further refusals. */
  readonly waitingFor?: HarnessFault | undefined;
  readonly stderrTail: string;
  /** Answers that the gateway refused or did not get; absent: not known. */
  readonly failedRequests?: number | undefined;
}

/** How an agent ended: the engine's account first, then the program's own stream, the exit code last. */
export type EndingReading = Pick<HarnessReading, 'ending' | 'fault' | 'limit'> & {
  readonly notices: readonly Notice[];
};

/** What a shell says when it cannot run a program at all. */
const CANNOT_RUN: readonly number[] = [126, 127];
/** What programs say on stderr when the bundle does not fit the image. */
const CANNOT_START =
  /native binary not installed|invalid regular expression flags|cannot execute|exec format error|GLIBC_|error while loading shared libraries|cannot find module|modulenotfounderror|no module named/i;

/**
 * Decides ending and fault. A limit or a signal from outside has an honest reason for a missing end, so there only what
 * the provider did is a fault: an agent that was waiting for a provider when its time ran out says nothing of the agent.
 */
export function readEnding(agent: AgentResult, account: StreamAccount): EndingReading {
  if (agent.ending === 'completed' || agent.ending === 'crashed') return endedItself(agent, account);
  const { ending, limit } = agent;
  const { end, waitingFor } = account;
  const said = end?.kind === 'fault' && end.fault.reason !== 'harness-protocol' ? end.fault : undefined;
  const fault = said ?? (ending === 'timed-out' && end === undefined ? waitingFor : undefined);
  return {
    ending,
    ...(limit === undefined ? {} : { limit }),
    ...(fault === undefined ? {} : { fault }),
    notices: [],
  };
}

function endedItself(agent: AgentResult, account: StreamAccount): EndingReading {
  const { end } = account;
  if (end === undefined) return crash(withoutEnd(agent, account));
  if (end.kind === 'fault') return crash(end.fault);
  if (end.kind === 'inner-limit') {
    return { ending: 'timed-out', limit: 'inner', notices: [{ code: 'inner-limit', detail: end.detail }] };
  }
  if (end.kind === 'gave-up') {
    return { ending: 'crashed', notices: [{ code: 'agent-gave-up', detail: end.detail }] };
  }
  const refusal = account.failedRequests === 0 ? undefined : refusalAsAnswer(end.finalText ?? '');
  if (refusal !== undefined) return crash(refusal);
  return { ending: 'completed', notices: exitCodeNotices(agent, account) };
}

function crash(fault: HarnessFault): EndingReading {
  return { ending: 'crashed', fault, notices: [] };
}

function withoutEnd(
  agent: AgentResult,
  { program, started, stderrTail, waitingFor }: StreamAccount,
): HarnessFault {
  const words = lastLine(stderrTail);
  const said = words === '' ? '' : `; its stderr ends: ${words}`;
  if (!started && (CANNOT_RUN.includes(agent.exitCode ?? 0) || CANNOT_START.test(stderrTail))) {
    return {
      reason: 'harness-install-failed',
      detail: `${program} does not run on this image (exit code ${agent.exitCode}${said})`,
    };
  }
  const waited = waitingFor === undefined ? '' : `; before that: ${waitingFor.detail}`;
  return {
    reason: 'harness-protocol',
    detail: `${program} left with exit code ${agent.exitCode} and without its last event${waited}${said}`,
  };
}

function exitCodeNotices(agent: AgentResult, { program }: StreamAccount): Notice[] {
  if (agent.exitCode === 0) return [];
  const detail = `${program} said that it completed and left with exit code ${agent.exitCode}`;
  return [{ code: 'exit-code-disagrees', detail }];
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
}
