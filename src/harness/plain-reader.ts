import type { TrajectoryReader } from './harness.ts';

/**
 * Reads nothing but the engine's account: for programs without a trajectory (`oracle`, `nop`).
 * Their crash is no fault: what they left is verified and scored. Of Skill use nothing can be told.
 */
export const plainReader: TrajectoryReader = {
  read: async ({ agent, skills }) => ({
    ending: agent.ending,
    ...(agent.limit === undefined ? {} : { limit: agent.limit }),
    skillUse: skills.map((skill) => ({ skill: skill.name, use: 'cannot-tell' })),
  }),
};
