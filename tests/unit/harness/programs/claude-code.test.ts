import { describe, expect, it } from 'vitest';
import { agent } from '../harness-reading.ts';
import { lines, modelUse, noticeCodes, readProgram, skillNamed } from '../program-fixture.ts';
import { assistant, claudeWords, init, result, toolResult, toolUse } from './claude-code-words.ts';

const read = (events: readonly unknown[], left = {}) => readProgram('claude-code', lines(...events), left);
const WORK = claudeWords.shell('echo 42 > answer.txt');

describe('what Claude Code leaves', () => {
  it('becomes a trajectory in the common shape', async () => {
    const events = [
      init(),
      assistant({ type: 'thinking', thinking: 'I need a file.' }),
      assistant({ type: 'text', text: 'I write it.' }),
      ...WORK,
      assistant({ type: 'text', text: 'Done.' }),
      result(),
    ];
    const { trajectory } = await read(events);
    expect(trajectory).toEqual({
      schemaVersion: 1,
      harness: 'claude-code',
      version: '2.1.332',
      model: 'fake-model',
      session: 'b7c1',
      steps: [
        { kind: 'reasoning', turn: 1, text: 'I need a file.' },
        { kind: 'assistant', turn: 1, text: 'I write it.' },
        {
          kind: 'tool-call',
          turn: 1,
          call: 'toolu_1',
          name: 'Bash',
          input: { command: 'echo 42 > answer.txt', description: 'work' },
          result: '(Bash completed with no output)',
          failed: false,
        },
        { kind: 'assistant', turn: 2, text: 'Done.' },
      ],
      finalText: 'Done.',
      // 2001 fresh + 40 written to the cache + 600 read from it.
      usage: { input: 2641, cachedInput: 600, cacheWrite: 40, output: 101 },
      whole: true,
      counts: {
        events: 7,
        unknownEvents: 0,
        toolCalls: 1,
        failedToolCalls: 0,
        droppedSteps: 0,
        clippedTexts: 0,
      },
    });
  });

  it('has its tokens from the sums per model where those are, side requests included', async () => {
    const of = (inputTokens: number, outputTokens: number) => ({
      inputTokens,
      outputTokens,
      cacheReadInputTokens: 10,
      cacheCreationInputTokens: 1,
    });
    const modelUsage = { 'fake-model': of(100, 20), 'small-model': of(5, 2) };
    const { trajectory } = await read([init({ model: undefined }), ...WORK, result({ modelUsage })]);
    expect(trajectory?.usage).toEqual({ input: 127, cachedInput: 20, cacheWrite: 2, output: 22 });
    expect(trajectory?.model).toBe('fake-model');
  });

  it('has no tokens where no request was answered, whatever zeros it writes', async () => {
    const none = {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    };
    const { trajectory } = await read([
      init(),
      result({ is_error: true, api_error_status: 500, usage: none }),
    ]);
    expect(trajectory?.usage).toEqual({});
  });

  it('is compared with what the gateway counted: one token a request is rounding', async () => {
    const counted = (input: number) =>
      modelUse({ requests: 2, usage: { input, output: 101, cachedInput: 600 } });
    const close = await read([init(), ...WORK, result()], { modelUse: counted(2643) });
    expect(noticeCodes(close)).toEqual([]);
    const far = await read([init(), ...WORK, result()], { modelUse: counted(2644) });
    expect(far.notices).toEqual([
      {
        code: 'tokens-disagree',
        detail: 'tokens as the harness counted and as the gateway did: input 2641 against 2644',
      },
    ]);
  });

  it('is an inner limit where its own turns or money ran out, and is scored', async () => {
    for (const subtype of ['error_max_turns', 'error_max_budget_usd']) {
      const end = result({ subtype, is_error: true, result: undefined, errors: ['Reached maximum'] });
      const reading = await read([init(), ...WORK, end], { agent: agent('crashed', 1) });
      expect([reading.ending, reading.limit, reading.fault]).toEqual(['timed-out', 'inner', undefined]);
    }
  });

  it('is scored as a crash where the conversation outgrew the model', async () => {
    const end = result({ is_error: true, result: 'Prompt is too long', api_error_status: 400 });
    const reading = await read([init(), ...WORK, end], { agent: agent('crashed', 1) });
    expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual([
      'crashed',
      undefined,
      ['agent-gave-up'],
    ]);
  });

  it('is completed where it says so and its exit code does not, with a notice', async () => {
    const reading = await read([init(), ...WORK, result()], { agent: agent('crashed', 1) });
    expect([reading.ending, reading.fault, noticeCodes(reading)]).toEqual([
      'completed',
      undefined,
      ['exit-code-disagrees'],
    ]);
  });

  it('is no fault where a signal ended it, which leaves no result', async () => {
    const reading = await read([init(), ...WORK], { agent: agent('killed', 143) });
    expect([reading.ending, reading.fault]).toEqual(['killed', undefined]);
  });

  it('keeps the limit where it finished its work and never exited', async () => {
    const limit = agent('timed-out', null, { limit: 'agent' });
    const reading = await read([init(), ...WORK, result()], { agent: limit });
    expect([reading.ending, reading.limit, reading.fault]).toEqual(['timed-out', 'agent', undefined]);
  });

  it('tells a missing key, a missing binary, and a refusal to run as root', async () => {
    const left = { agent: agent('crashed', 1) };
    const login = result({ is_error: true, result: 'Not logged in · Please run /login' });
    expect((await read([init(), login], left)).fault?.reason).toBe('provider-auth');
    const binary = { ...left, stderr: 'Error: claude native binary not installed.\n' };
    expect((await read([], binary)).fault?.reason).toBe('harness-install-failed');
    const root = { ...left, stderr: '--dangerously-skip-permissions cannot be used with root\n' };
    const refused = await read([], root);
    expect(refused.fault).toEqual({
      reason: 'harness-protocol',
      detail:
        'Claude Code left with exit code 1 and without its last event; its stderr ends: --dangerously-skip-permissions cannot be used with root',
    });
  });

  it('passes on no refusal that the gateway did not see', async () => {
    const answer = 'API Error: 429 is what the file says';
    const events = [init(), ...WORK, result({ result: answer })];
    const seen = modelUse({ failedRequests: 1 });
    expect((await read(events, { modelUse: seen })).fault?.reason).toBe('provider-limit');
    expect((await read(events, { modelUse: modelUse() })).fault).toBeUndefined();
  });

  it('tells how long it was silent before a limit where its events have times', async () => {
    const at = (time: string, event: object) => ({ ...event, timestamp: `2026-11-29T10:${time}.000Z` });
    const events = [at('00:00', init()), at('01:40', WORK[0] as object), at('01:41', WORK[1] as object)];
    const limit = agent('timed-out', null, { limit: 'agent', durationMs: 600_000 });
    const reading = await read(events, { agent: limit });
    expect(reading.notices).toEqual([
      { code: 'silent-time', detail: 'no event in the last 499 s before the time limit' },
    ]);
  });
});

describe('Skills in what Claude Code leaves', () => {
  const stages = async (events: readonly unknown[], left = {}) => {
    const { skillUse } = await read([init(), ...events, result()], { ownSkills: ['dataviz'], ...left });
    return Object.fromEntries(
      skillUse.map(({ skill, use, origin, stages: of }) => [skill, { use, origin, ...of }]),
    );
  };

  it('are listed as the first event says, apart by where they come from', async () => {
    expect(await stages(WORK)).toEqual({
      alpha: { use: 'not-used', origin: 'task', staged: 'yes', listed: 'yes', opened: 'no', scriptRun: 'no' },
      beta: { use: 'not-used', origin: 'task', staged: 'yes', listed: 'yes', opened: 'no', scriptRun: 'no' },
      dataviz: {
        use: 'not-used',
        origin: 'harness',
        staged: 'yes',
        listed: 'yes',
        opened: 'no',
        scriptRun: 'no',
      },
    });
  });

  it('are listed as the first request says where one was kept', async () => {
    const listing = 'The following skills are available for use with the Skill tool:\n- beta: B\n';
    const firstRequest = { messages: [{ role: 'system', content: listing }] };
    const found = await stages(WORK, { firstRequest });
    expect([found.alpha?.listed, found.beta?.listed]).toEqual(['no', 'yes']);
    const kept = {
      schemaVersion: 1,
      protocol: 'anthropic-messages',
      path: '/v1/messages',
      body: firstRequest,
    };
    const same = await stages(WORK, { firstRequest: kept });
    expect([same.alpha?.listed, same.beta?.listed]).toEqual(['no', 'yes']);
  });

  it('are opened by the Skill tool, by Read, or by a shell that stays in the folder', async () => {
    const skill = [toolUse('t', 'Skill', { skill: 'alpha' }), toolResult('t', 'Launching skill: alpha')];
    expect((await stages(skill)).alpha).toMatchObject({ use: 'used', opened: 'yes', scriptRun: 'no' });
    const text = 'Base directory for this skill: /home/agent/.claude/skills/beta\n\n# beta';
    const prompted = { type: 'user', isSynthetic: true, message: { content: [{ type: 'text', text }] } };
    expect((await stages([prompted])).beta).toMatchObject({ use: 'used', opened: 'yes' });
    const file = '/home/agent/.claude/skills/beta/references/x.md';
    const opened = [toolUse('t', 'Read', { file_path: file }), toolResult('t', '1\tX')];
    expect((await stages(opened)).beta).toMatchObject({ use: 'used', opened: 'yes' });
    const stays = [
      ...claudeWords.shell('cd ~/.claude/skills/alpha'),
      ...claudeWords.shell('python3 scripts/x.py', '3 rows'),
    ];
    expect((await stages(stays)).alpha).toMatchObject({ use: 'used', scriptRun: 'yes' });
  });

  it('are not opened by a call that failed, nor by Glob, Grep for names, or Write', async () => {
    const failed = [toolUse('t', 'Skill', { skill: 'alpha' }), toolResult('t', 'Unknown skill', true)];
    expect((await stages(failed)).alpha?.use).toBe('not-used');
    const path = '/home/agent/.claude/skills/alpha';
    for (const [name, input] of [
      ['Glob', { path, pattern: '**/*' }],
      ['Write', { file_path: `${path}/new.md`, content: 'x' }],
      ['Read', { file_path: '/ws/notes.md' }],
    ] as const) {
      const found = await stages([toolUse('t', name, input), toolResult('t', `${path}/SKILL.md`)]);
      expect([name, found.alpha?.use]).toEqual([name, 'not-used']);
    }
  });

  it('are told apart when they are of the program or of nobody', async () => {
    const used = (skill: string) => [toolUse('t', 'Skill', { skill }), toolResult('t', 'Launching')];
    expect((await stages(used('dataviz'))).dataviz).toMatchObject({ use: 'used', origin: 'harness' });
    expect((await stages(used('shop:stranger'))).stranger).toMatchObject({ use: 'used', origin: 'unknown' });
  });

  it('are used in an arm that should have had none', async () => {
    const read = claudeWords.shell('cat ~/.claude/skills/alpha/SKILL.md', '# alpha');
    expect((await stages(read, { staged: [] })).alpha).toMatchObject({ use: 'used', staged: 'no' });
  });

  it('cannot be told where the stream is of another shape, and staging not where nobody says', async () => {
    const strange = await readProgram('claude-code', lines({ event: 'x' }, { event: 'y' }), {
      agent: agent('killed', null),
      skills: [skillNamed('alpha')],
      staged: undefined,
    });
    expect(strange.skillUse).toEqual([
      {
        skill: 'alpha',
        use: 'cannot-tell',
        origin: 'task',
        stages: {
          staged: 'cannot-tell',
          listed: 'cannot-tell',
          opened: 'cannot-tell',
          scriptRun: 'cannot-tell',
        },
      },
    ]);
  });
});
