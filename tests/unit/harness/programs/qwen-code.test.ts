import { describe, expect, it } from 'vitest';
import { lines, readProgram } from '../program-fixture.ts';
import { toolResult, toolUse } from './claude-code-words.ts';
import { qwenWords, result } from './qwen-code-words.ts';

const read = (...events: readonly unknown[]) =>
  readProgram('qwen-code', lines(...qwenWords.start, ...events));

describe('what Qwen Code leaves', () => {
  it('has version, model and session, and cached tokens as a part of the input', async () => {
    const { trajectory } = await read(...qwenWords.shell('true'), result());
    expect(trajectory).toMatchObject({ version: '0.24.4', model: 'fake-model', session: 'q-1' });
    expect(trajectory?.usage).toEqual({ input: 2001, cachedInput: 600, output: 101 });
  });

  it('shows a Skill that was opened, although the answer is its description alone', async () => {
    const { skillUse } = await read(
      toolUse('call_1', 'skill', { skill: 'alpha' }),
      toolResult('call_1', 'What it is for.'),
      result(),
    );
    expect(skillUse.map(({ skill, use }) => [skill, use])).toEqual([
      ['alpha', 'used'],
      ['beta', 'not-used'],
    ]);
  });
});
