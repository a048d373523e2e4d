import type { AgentResult, SkillUse } from '../model/attempt.ts';
import type { HarnessReading, TrajectoryReader } from './harness.ts';
import { type LiteralTrajectory, readLiteralEvents } from './literal-events.ts';
import { eventNotices } from './trajectory-notices.ts';

/** What a shell says when it cannot run a program at all. */
const CANNOT_RUN: readonly number[] = [126, 127];

/**
 * Reads the `literal` harness's JSON lines. Its own limit (`end` with `limit: inner`) makes the ending `timed-out`.
 * Skills that it opened and that are not the task's are listed too: an arm without Skills must have used none at all.
 * One that ended by itself without an `end` event, or whose `end` and exit code disagree, is a `harness-protocol` fault.
 */
export const literalReader: TrajectoryReader = {
  read: async ({ stdoutPath, agent, skills }) => {
    const trajectory = await readLiteralEvents(stdoutPath);
    const fault = findFault(agent, trajectory);
    return {
      ...readEnding(agent, trajectory),
      ...(fault === undefined ? {} : { fault }),
      skillUse: [...new Set([...skills.map(({ name }) => name), ...trajectory.opened])].map((skill) => ({
        skill,
        use: useOf(skill, trajectory),
      })),
      notices: eventNotices(trajectory),
    };
  },
};

function readEnding(
  agent: AgentResult,
  { end }: LiteralTrajectory,
): Pick<HarnessReading, 'ending' | 'limit'> {
  if (endedItself(agent) && end?.limit === 'inner') return { ending: 'timed-out', limit: 'inner' };
  return { ending: agent.ending, ...(agent.limit === undefined ? {} : { limit: agent.limit }) };
}

/** Whatever a limit or a signal ended has an honest reason for a missing `end`. */
function endedItself(agent: AgentResult): boolean {
  return agent.ending === 'completed' || agent.ending === 'crashed';
}

function findFault(agent: AgentResult, { started, end }: LiteralTrajectory): HarnessReading['fault'] {
  if (!endedItself(agent)) return undefined;
  if (!started && CANNOT_RUN.includes(agent.exitCode ?? 0)) {
    return {
      reason: 'harness-install-failed',
      detail: `the literal harness does not run on this image (exit code ${agent.exitCode}, see the agent's stderr)`,
    };
  }
  if (end === undefined) {
    return {
      reason: 'harness-protocol',
      detail: `the literal harness left with exit code ${agent.exitCode} and no end event`,
    };
  }
  if (end.ok === (agent.exitCode === 0)) return undefined;
  return {
    reason: 'harness-protocol',
    detail: `the literal harness said ok: ${end.ok} and left with exit code ${agent.exitCode}`,
  };
}

/** Each event is written before the act, so a whole trajectory without `skill-opened` means that the Skill was not used. */
function useOf(skill: string, { started, opened, torn }: LiteralTrajectory): SkillUse['use'] {
  if (opened.has(skill)) return 'used';
  return started && !torn ? 'not-used' : 'cannot-tell';
}
