import { describe, expect, it } from 'vitest';
import { agent } from '../harness-reading.ts';
import { lines, noticeCodes, readProgram } from '../program-fixture.ts';
import { action, message, observation, openHandsWords } from './openhands-words.ts';

const read = (events: readonly unknown[], left = {}) =>
  readProgram('openhands', lines(...openHandsWords.start, ...events), left);
const WORK = openHandsWords.shell('echo 42 > answer.txt');
const FINISH = openHandsWords.success('Done.');

describe('what OpenHands leaves', () => {
  it('becomes a trajectory in which the call of finish is the answer', async () => {
    const thoughtful = action(
      'terminal',
      { command: 'ls' },
      { thought: [{ type: 'text', text: 'I look.' }] },
    );
    const events = [thoughtful, observation('terminal', 'x', { exit_code: 0 }), ...FINISH];
    const { trajectory, ending } = await read(events);
    expect(ending).toBe('completed');
    expect(trajectory?.steps).toMatchObject([
      { kind: 'user', text: 'Do it.' },
      { kind: 'assistant', turn: 1, text: 'I look.' },
      {
        kind: 'tool-call',
        turn: 1,
        name: 'terminal',
        input: { command: 'ls' },
        result: 'x',
        durationMs: 1000,
      },
      { kind: 'assistant', turn: 2, text: 'Done.' },
    ]);
    expect([trajectory?.finalText, trajectory?.counts.toolCalls]).toEqual(['Done.', 1]);
  });

  it('ends with a message of the agent too, unless something follows', async () => {
    const said = message('agent', 'All done.');
    expect(await read([...WORK, said])).toMatchObject({
      ending: 'completed',
      trajectory: { finalText: 'All done.' },
    });
    expect((await read([said, ...WORK])).fault?.reason).toBe('harness-protocol');
  });

  it('ends with the last line of our bundle, where its first line is there', async () => {
    const started = { kind: 'RunStarted', version: '1.58.2', model: 'fake-model' };
    const usage = {
      model: 'openai/fake-model',
      prompt_tokens: 2001,
      completion_tokens: 101,
      cache_read_tokens: 600,
    };
    const ended = (status: string, error?: string) => ({
      kind: 'RunEnded',
      status,
      error: error ?? null,
      usage,
    });
    const good = await read([started, ...WORK, ...FINISH, ended('finished')]);
    expect(good).toMatchObject({
      ending: 'completed',
      trajectory: { version: '1.58.2', model: 'fake-model' },
    });
    expect(good.trajectory?.usage).toEqual({
      input: 2001,
      cachedInput: 600,
      cacheWrite: 0,
      output: 101,
      reasoning: 0,
    });
    expect((await read([started, ...WORK, ...FINISH])).fault?.reason).toBe('harness-protocol');
    const left = { agent: agent('crashed', 1) };
    const key = ended('error', 'ConversationRunError: litellm.AuthenticationError: bad key');
    expect((await read([started, key], left)).fault?.reason).toBe('provider-auth');
    const limit = [started, ...openHandsWords.refusedRate, ended('error', 'ConversationRunError: x')];
    expect((await read(limit, left)).fault?.reason).toBe('provider-limit');
    expect(await read([started, ...WORK, ended('stuck')], left)).toMatchObject({ ending: 'crashed' });
    expect((await read([started, ...WORK, ended('stuck')], left)).fault).toBeUndefined();
    expect((await read([started, ended('idle')], left)).fault?.reason).toBe('harness-protocol');
  });

  it('is an inner limit where its own iterations or money ran out', async () => {
    for (const code of ['MaxIterationsReached', 'MaxBudgetReached']) {
      const error = { kind: 'ConversationErrorEvent', source: 'environment', code, detail: 'reached' };
      const reading = await read([...WORK, error]);
      expect([reading.ending, reading.limit, reading.fault]).toEqual(['timed-out', 'inner', undefined]);
    }
  });

  it('is scored as a crash where it went round in circles or outgrew the model', async () => {
    const stuck = { kind: 'ConversationStateUpdateEvent', key: 'execution_status', value: 'stuck' };
    const overflow = { kind: 'ConversationErrorEvent', code: 'LLMContextWindowExceedError', detail: 'x' };
    for (const event of [stuck, overflow]) {
      const reading = await read([...WORK, event]);
      expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual([
        'crashed',
        undefined,
        ['agent-gave-up'],
      ]);
    }
  });

  it('has its tokens from the state of the conversation, summed over its uses of models', async () => {
    const of = (prompt: number, completion: number) => ({
      model_name: 'openai/fake-model',
      accumulated_token_usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        cache_read_tokens: 300,
        cache_write_tokens: 0,
        reasoning_tokens: 7,
      },
    });
    const state = { id: 'c-1', stats: { usage_to_metrics: { agent: of(1000, 50), condenser: of(10, 5) } } };
    const { trajectory } = await read([...WORK, ...FINISH], {
      session: { 'conversations/c-1/base_state.json': JSON.stringify(state) },
    });
    expect(trajectory?.usage).toEqual({
      input: 1010,
      cachedInput: 600,
      cacheWrite: 0,
      output: 55,
      reasoning: 14,
    });
    expect([trajectory?.model, trajectory?.session]).toEqual(['openai/fake-model', 'c-1']);
  });

  it('takes the call that only thinks as a thought', async () => {
    const thinks = [
      action('think', { thought: 'Hm.' }),
      observation('think', 'Your thought has been logged.'),
    ];
    const reading = await read([...thinks, ...FINISH]);
    expect(reading.trajectory?.steps[1]).toMatchObject({ kind: 'reasoning', text: 'Hm.' });
    expect(noticeCodes(reading)).toEqual(['no-tool-use']);
  });

  it('is stuck where only the state on disk says so', async () => {
    const session = { 'base_state.json': JSON.stringify({ execution_status: 'stuck' }) };
    const reading = await read(WORK, { session, agent: agent('crashed', 1) });
    expect([reading.ending, reading.fault]).toEqual(['crashed', undefined]);
  });

  it('passes over the lines for people', async () => {
    const reading = await read([
      '',
      '───── CONVERSATION SUMMARY ─────',
      ...WORK,
      ...FINISH,
      '╭─ Agent ─╮',
      'Goodbye!',
    ]);
    expect(noticeCodes(reading)).toEqual([]);
  });

  it('shows a call that could not run, and its error', async () => {
    const broken = action(
      'terminal',
      {},
      { action: null, tool_call: { name: 'terminal', arguments: '{"command": "ec' } },
    );
    const error = {
      kind: 'AgentErrorEvent',
      source: 'agent',
      tool_name: 'terminal',
      tool_call_id: 'call_1',
      error: 'bad',
    };
    const { trajectory } = await read([broken, error, ...FINISH]);
    expect(trajectory?.steps[1]).toMatchObject({ input: '{"command": "ec', result: 'bad', failed: true });
  });
});

describe('Skills in what OpenHands leaves', () => {
  const used = async (...events: readonly unknown[]) => {
    const { skillUse } = await read([...events, ...FINISH]);
    return skillUse.map(({ skill, use }) => [skill, use])[0];
  };

  it('are opened by invoke_skill, by the file editor, or in the terminal, which stays in its folder', async () => {
    const native = [action('invoke_skill', { name: 'alpha' }), observation('invoke_skill', '# alpha')];
    expect(await used(...native)).toEqual(['alpha', 'used']);
    const path = '/home/agent/.agents/skills/alpha/SKILL.md';
    const view = [action('file_editor', { command: 'view', path }), observation('file_editor', '# alpha')];
    expect(await used(...view)).toEqual(['alpha', 'used']);
    const stays = [
      ...openHandsWords.shell('cd ~/.agents/skills/alpha'),
      ...openHandsWords.shell('cat SKILL.md', 'x'),
    ];
    expect(await used(...stays)).toEqual(['alpha', 'used']);
  });

  it('are not opened by an unknown name, nor by writing a file', async () => {
    const unknown = [
      action('invoke_skill', { name: 'alpha' }),
      observation('invoke_skill', "Unknown skill 'alpha'", { is_error: true }),
    ];
    expect(await used(...unknown)).toEqual(['alpha', 'not-used']);
    const path = '/home/agent/.agents/skills/alpha/new.md';
    const create = [
      action('file_editor', { command: 'create', path }),
      observation('file_editor', 'created'),
    ];
    expect(await used(...create)).toEqual(['alpha', 'not-used']);
  });

  it('are opened where a trigger in the instruction put them into the first message', async () => {
    const triggered = { ...message('user', 'Do it.'), activated_skills: ['alpha'] };
    expect(await used(triggered)).toEqual(['alpha', 'used']);
  });

  it('cannot be told where it ended before its first event', async () => {
    const reading = await readProgram('openhands', lines('Agent is working'), {
      agent: agent('killed', null),
    });
    expect(reading.skillUse[0]?.use).toBe('cannot-tell');
  });
});
