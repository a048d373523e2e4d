import { describe, expect, it } from 'vitest';
import { agent, readTrajectory } from './harness-reading.ts';

describe('a harness without a trajectory', () => {
  it.each([
    ['completed', 0],
    ['crashed', 1],
    ['out-of-memory', 137],
    ['killed', null],
  ] as const)('has the ending that the engine tells (%s) and no fault', async (ending, exitCode) => {
    expect(await readTrajectory('none', 'any text', agent(ending, exitCode))).toEqual({
      ending,
      skillUse: [
        { skill: 'alpha', use: 'cannot-tell' },
        { skill: 'beta', use: 'cannot-tell' },
      ],
    });
  });

  it('keeps the limit that ended it', async () => {
    const ended = agent('timed-out', null, { limit: 'agent' });
    expect(await readTrajectory('none', '', ended)).toMatchObject({ ending: 'timed-out', limit: 'agent' });
  });
});
