import { describe, expect, it } from 'vitest';
import { judgeCanary, makeCanary } from '../../../src/harness/canary.ts';
import type { HarnessReading } from '../../../src/harness/harness.ts';
import { lines, readProgram, skillNamed } from './program-fixture.ts';
import { claudeWords, init, result, toolResult, toolUse } from './programs/claude-code-words.ts';

const CANARY = makeCanary('claude-code 2.1.332');
const SKILLS = { skills: [skillNamed(CANARY.name)], staged: [CANARY.name] };

/** Reads a run of an agent that was asked for the token. */
function run(events: readonly unknown[], answer: string): Promise<HarnessReading> {
  return readProgram('claude-code', lines(init(), ...events, result({ result: answer })), SKILLS);
}

describe('a canary', () => {
  it('is the same for the same seed and another for another', () => {
    expect(makeCanary('claude-code 2.1.332')).toEqual(CANARY);
    expect(makeCanary('claude-code 2.1.333').token).not.toBe(CANARY.token);
    expect(CANARY.token).toMatch(/^[0-9a-z]{24}$/);
  });

  it('tells its token in its body only', () => {
    const [, head, body] = CANARY.skillFile.split('---\n');
    expect(head).not.toContain(CANARY.token);
    expect(body).toContain(CANARY.token);
  });

  it('is seen where an agent echoes it and the reading says so', async () => {
    const opened = [
      toolUse('t1', 'Skill', { skill: CANARY.name }),
      toolResult('t1', `Launching skill: ${CANARY.name}`),
    ];
    expect(judgeCanary(CANARY, await run(opened, CANARY.token))).toBe('seen');
    const read = claudeWords.shell(`cat ~/.claude/skills/${CANARY.name}/SKILL.md`, CANARY.skillFile);
    expect(judgeCanary(CANARY, await run(read, CANARY.token))).toBe('seen');
  });

  it('is missed where the agent got at it in a way that the reading does not know: the detector is broken', async () => {
    const unknownWay = [toolUse('t1', 'Recall', { what: 'the token' }), toolResult('t1', 'ok')];
    expect(judgeCanary(CANARY, await run(unknownWay, `It is ${CANARY.token}.`))).toBe('missed');
  });

  it('proves nothing where it was not opened, or did not come back', async () => {
    expect(judgeCanary(CANARY, await run([], 'I do not know.'))).toBe('not-opened');
    const opened = [toolUse('t1', 'Skill', { skill: CANARY.name }), toolResult('t1', 'Launching')];
    expect(judgeCanary(CANARY, await run(opened, 'I do not tell.'))).toBe('unconfirmed');
  });
});
