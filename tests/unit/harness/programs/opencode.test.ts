import { describe, expect, it } from 'vitest';
import { agent } from '../harness-reading.ts';
import { lines, readProgram } from '../program-fixture.ts';
import { failure, finish, openCodeWords, STEP, said, tool } from './opencode-words.ts';

const read = (events: readonly unknown[], left = {}) =>
  readProgram('opencode', lines(...openCodeWords.start, ...events), left);

describe('what OpenCode leaves', () => {
  it('sums the tokens of its answers, with those from the cache', async () => {
    // Twice 700 + 300 read, and 50 + 7 written.
    const { trajectory } = await read([...openCodeWords.shell('true'), said('Done.'), finish('stop')]);
    expect(trajectory?.usage).toEqual({
      input: 2000,
      cachedInput: 600,
      cacheWrite: 0,
      output: 114,
      reasoning: 14,
    });
    expect([trajectory?.finalText, trajectory?.session]).toEqual(['Done.', 'ses_1']);
  });

  it('shows a Skill that was opened, and none where its tool failed', async () => {
    const opened = async (status: string, words: object) => {
      const call = tool('skill', { status, input: { name: 'alpha' }, ...words });
      const { skillUse } = await read([call, finish('tool-calls'), STEP, said('Done.'), finish('stop')]);
      return skillUse[0]?.stages?.opened;
    };
    expect(await opened('completed', { output: '<skill_content name="alpha">' })).toBe('yes');
    expect(await opened('error', { error: 'ripgrep execution failed' })).toBe('no');
  });

  it('is a provider error where the time limit fired while it asked again after empty answers', async () => {
    const empty = finish('unknown', { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } });
    const limit = agent('timed-out', null, { limit: 'agent' });
    const reading = await read([empty, STEP, empty, STEP], { agent: limit });
    expect([reading.ending, reading.fault?.reason]).toEqual(['timed-out', 'provider-error']);
    expect(reading.trajectory?.usage).toEqual({});
  });

  it('is scored where the conversation outgrew the model', async () => {
    const reading = await read([failure('ContextOverflowError', { message: 'too much' })]);
    expect([reading.ending, reading.fault]).toEqual(['crashed', undefined]);
  });

  it('stays failed where further steps follow an error', async () => {
    const error = failure('APIError', { message: 'scripted fault', statusCode: 503 });
    const reading = await read([error, STEP, said('Done.'), finish('stop')]);
    expect(reading.fault?.reason).toBe('provider-error');
  });
});
