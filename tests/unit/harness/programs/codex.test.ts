import { describe, expect, it } from 'vitest';
import { agent } from '../harness-reading.ts';
import { lines, noticeCodes, readProgram } from '../program-fixture.ts';
import { codexWords, command, completed, TURN_COMPLETED } from './codex-words.ts';

const read = (events: readonly unknown[], left = {}) =>
  readProgram('codex', lines(...codexWords.start, ...events), left);
const WORK = codexWords.shell('echo 42 > answer.txt');
const DONE = completed({ id: 'item_2', type: 'agent_message', text: 'Done.' });

describe('what Codex leaves', () => {
  it('becomes a trajectory in which an item that starts and completes is one call', async () => {
    const reasoning = completed({ id: 'item_7', type: 'reasoning', text: '**Plan**' });
    const { trajectory, ending } = await read([reasoning, ...WORK, DONE, TURN_COMPLETED]);
    expect(ending).toBe('completed');
    expect(trajectory?.steps).toEqual([
      { kind: 'reasoning', turn: 1, text: '**Plan**' },
      {
        kind: 'tool-call',
        turn: 1,
        call: 'item_1',
        name: 'command_execution',
        input: { command: "/bin/bash -lc 'echo 42 > answer.txt'" },
        result: '',
        failed: false,
      },
      { kind: 'assistant', turn: 2, text: 'Done.' },
    ]);
    expect([trajectory?.session, trajectory?.finalText]).toEqual(['0199-abc', 'Done.']);
  });

  it('has its tokens from the end of each turn, cached and reasoning ones as parts', async () => {
    const { trajectory } = await read([
      ...WORK,
      TURN_COMPLETED,
      { type: 'turn.started' },
      DONE,
      TURN_COMPLETED,
    ]);
    expect(trajectory?.usage).toEqual({
      input: 4002,
      cachedInput: 1200,
      cacheWrite: 0,
      output: 202,
      reasoning: 28,
    });
  });

  it('has version, model and times from its session file', async () => {
    const file = lines(
      { timestamp: '2026-11-29T10:00:00.000Z', type: 'session_meta', payload: { cli_version: '0.171.0' } },
      { timestamp: '2026-11-29T10:00:01.000Z', type: 'turn_context', payload: { model: 'fake-model' } },
      { timestamp: '2026-11-29T10:00:30.000Z', type: 'response_item', payload: { type: 'message' } },
    );
    const reading = await read([...WORK], {
      agent: agent('timed-out', null, { limit: 'agent', durationMs: 130_000 }),
      session: { 'sessions/2026/11/29/rollout-2026-11-29T10-00-00-0199.jsonl': file },
    });
    expect([reading.trajectory?.version, reading.trajectory?.model]).toEqual(['0.171.0', 'fake-model']);
    expect(reading.notices).toEqual([
      { code: 'silent-time', detail: 'no event in the last 100 s before the time limit' },
    ]);
  });

  it('counts a failed command as one and is completed all the same', async () => {
    const failed = completed(command('false', '', 1));
    const reading = await read([failed, DONE, TURN_COMPLETED]);
    expect([reading.ending, reading.fault, reading.trajectory?.counts.failedToolCalls]).toEqual([
      'completed',
      undefined,
      1,
    ]);
  });

  it('takes changes of files, calls of MCP servers and searches as calls of tools', async () => {
    const items = [
      { id: 'a', type: 'file_change', changes: [{ path: 'x', kind: 'add' }], status: 'completed' },
      {
        id: 'b',
        type: 'mcp_tool_call',
        server: 's',
        tool: 't',
        arguments: { q: 1 },
        result: { content: [{ text: 'r' }] },
        status: 'failed',
      },
      { id: 'c', type: 'web_search', query: 'q' },
      { id: 'd', type: 'todo_list', items: [] },
    ];
    const { trajectory } = await read([...items.map(completed), DONE, TURN_COMPLETED]);
    const calls = trajectory?.steps.flatMap((step) => (step.kind === 'tool-call' ? [step.name] : []));
    expect(calls).toEqual(['file_change', 's.t', 'web_search']);
    expect(trajectory?.counts).toMatchObject({ toolCalls: 3, failedToolCalls: 1, unknownEvents: 0 });
  });

  it('is scored as a crash where the conversation outgrew the model', async () => {
    const message = 'Codex ran out of room in the model’s context window.';
    const reading = await read([...WORK, { type: 'turn.failed', error: { message } }], {
      agent: agent('crashed', 1),
    });
    expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual([
      'crashed',
      undefined,
      ['agent-gave-up'],
    ]);
  });

  it('is a fault of the key where its variable is missing', async () => {
    const end = { type: 'turn.failed', error: { message: 'Missing environment variable: `KEY`.' } };
    expect((await read([end], { agent: agent('crashed', 1) })).fault?.reason).toBe('provider-auth');
  });

  it('ends with its last turn: one that fails after one that completed is a failure', async () => {
    const reading = await read([...WORK, TURN_COMPLETED, ...codexWords.failedTurn]);
    expect(reading.fault?.reason).toBe('provider-error');
  });
});

describe('Skills in what Codex leaves', () => {
  const request = (block: string) => ({ input: [{ role: 'developer', content: [{ text: block }] }] });
  const listing = '<skills_instructions>\n- alpha: A (file: r0/alpha/SKILL.md)\n</skills_instructions>';

  it('are listed in the first request, and opened by a command that reads the file', async () => {
    const opened = codexWords.shell('sed -n 1,200p /ws/.agents/skills/alpha/SKILL.md', '# alpha');
    const { skillUse } = await read([...opened, DONE, TURN_COMPLETED], { firstRequest: request(listing) });
    expect(skillUse.map(({ skill, use, stages }) => [skill, use, stages?.listed, stages?.opened])).toEqual([
      ['alpha', 'used', 'yes', 'yes'],
      ['beta', 'not-used', 'no', 'no'],
    ]);
  });

  it('are opened without a call where the prompt named them', async () => {
    const loaded = '<skill>\n<name>alpha</name>\n<path>/x</path>\nbody</skill>';
    const firstRequest = { input: [{ role: 'user', content: [{ text: loaded }] }] };
    const { skillUse } = await read([DONE, TURN_COMPLETED], { firstRequest });
    expect(skillUse[0]).toMatchObject({ use: 'used', stages: { opened: 'yes' } });
  });

  it('of its own are seen by their folder', async () => {
    const own = codexWords.shell('cat /root/.codex/skills/.system/imagegen/SKILL.md', '# x');
    const { skillUse } = await read([...own, DONE, TURN_COMPLETED], { ownSkills: ['imagegen'] });
    expect(skillUse.at(-1)).toMatchObject({ skill: 'imagegen', use: 'used', origin: 'harness' });
  });

  it('cannot be told to have been listed without the first request', async () => {
    const { skillUse } = await read([DONE, TURN_COMPLETED]);
    expect(skillUse[0]?.stages?.listed).toBe('cannot-tell');
  });
});
