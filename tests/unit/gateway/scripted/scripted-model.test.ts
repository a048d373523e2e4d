import { describe, expect, it } from 'vitest';
import { ModelProtocol } from '../../../../src/model/model-protocol.ts';
import { drained, eventsOf, readAnswer } from './support/read-answer.ts';
import { exchange, request, TOOLS } from './support/requests.ts';
import { ask } from './support/script.ts';

const SHELL = {
  'anthropic-messages': {
    name: 'Bash',
    input: { command: 'echo 42 > answer', description: 'Do the next step of the script', timeout: 600_000 },
  },
  'openai-responses': { name: 'exec_command', input: { cmd: 'echo 42 > answer' } },
  'openai-chat': {
    name: 'run_shell_command',
    input: {
      command: 'echo 42 > answer',
      description: 'Do the next step of the script',
      is_background: false,
    },
  },
  gemini: {
    name: 'run_shell_command',
    input: { command: 'echo 42 > answer', description: 'Do the next step of the script' },
  },
} as const;
const STOPS = {
  'anthropic-messages': ['tool_use', 'end_turn'],
  'openai-responses': ['completed', 'completed'],
  'openai-chat': ['tool_calls', 'stop'],
  gemini: ['STOP', 'STOP'],
} as const;
const RULES = [
  {
    turns: [
      { text: 'I write it.', shell: 'echo 42 > answer' },
      { text: 'Now the answer stands in the file. ✓ 👍' },
    ],
  },
];

describe.each(ModelProtocol.options)('in %s', (protocol) => {
  const [calls, ends] = STOPS[protocol];

  it.each([true, false])(
    'a command is run with the tool that the request offers, then a text ends it (stream: %s)',
    async (stream) => {
      const first = request(protocol, { instruction: 'Write 42.', stream });
      const one = await readAnswer(protocol, await ask(RULES, first));
      expect(one).toMatchObject({
        text: 'I write it.',
        calls: [SHELL[protocol]],
        stop: calls,
        model: 'some-model-1',
      });
      const later = request(protocol, { instruction: 'Write 42.', rounds: [{ back: 'ok' }], stream });
      const two = await readAnswer(protocol, await ask(RULES, later));
      expect(two).toMatchObject({ text: 'Now the answer stands in the file. ✓ 👍', calls: [], stop: ends });
    },
  );

  it('usage follows from the bytes of request and answer: four to a token', async () => {
    const asked = request(protocol, { instruction: 'Say it.' });
    const answer = await readAnswer(protocol, await ask([{ turns: [{ text: '12345678' }] }], asked));
    expect([answer.input, answer.output]).toEqual([Math.ceil(asked.bytes.length / 4), 2]);
  });

  it('a text comes in several pieces', async () => {
    const text = 'A long sentence that no provider would send at once, because it is long.';
    const answer = await readAnswer(
      protocol,
      await ask([{ turns: [{ text }] }], request(protocol, { instruction: 'Go.' })),
    );
    expect(answer.text).toBe(text);
    expect(answer.deltas).toBeGreaterThan(2);
  });

  it('the same request gets the same bytes', async () => {
    const asked = request(protocol, { instruction: 'Write 42.' });
    const [one, two] = await Promise.all([
      drained(await ask(RULES, asked)),
      drained(await ask(RULES, asked)),
    ]);
    expect(one.text.length).toBeGreaterThan(100);
    expect(two).toEqual(one);
  });

  it('after the last turn comes the end', async () => {
    const asked = request(protocol, {
      instruction: 'Go.',
      rounds: [{ back: 'a' }, { back: 'b' }, { back: 'c' }],
    });
    expect(await readAnswer(protocol, await ask([{ turns: [{ shell: 'true' }] }], asked))).toMatchObject({
      text: 'Done.',
      calls: [],
    });
  });

  it('several commands are called at once', async () => {
    const asked = request(protocol, { instruction: 'Go.' });
    const answer = await readAnswer(protocol, await ask([{ turns: [{ shell: ['true', 'false'] }] }], asked));
    expect(answer.calls.map(({ name }) => name)).toEqual([SHELL[protocol].name, SHELL[protocol].name]);
  });

  it('a request without tools gets words, whatever the turn does', async () => {
    const asked = request(protocol, { instruction: 'A title, please.', tools: {} });
    expect(await readAnswer(protocol, await ask([{ turns: [{ shell: 'true' }] }], asked))).toMatchObject({
      text: 'Done.',
      calls: [],
    });
    const elsewhere = [{ when: { instruction: 'other' }, turns: [{ shell: 'true' }] }];
    expect(await readAnswer(protocol, await ask(elsewhere, asked))).toMatchObject({
      text: 'Done.',
      calls: [],
    });
  });

  it('what cannot be done is a status 400 that says why', async () => {
    const read = TOOLS['anthropic-messages'].Read ?? {};
    const asked = request(protocol, { instruction: 'Go.', tools: { Read: read } });
    const answer = await ask([{ turns: [{ shell: 'true' }] }], asked);
    expect(answer.status).toBe(400);
    expect((await drained(answer)).text).toContain('no tool for commands is offered (offered: Read)');
    const none = await ask([{ when: { model: 'x-*' } }], asked);
    expect((await drained(none)).text).toContain('no rule of the script fits this request');
  });

  it('pieces and bytes of a text are as the pace wants them', async () => {
    const asked = request(protocol, { instruction: 'Go.' });
    const rule = { turns: [{ text: 'ä b' }], pace: { bytes: 1001, chunks: 10 } };
    const answer = await readAnswer(protocol, await ask([rule], asked));
    // "ä b " is 5 bytes long; byte 1001 would split the ä.
    expect(answer.text).toBe('ä b '.repeat(200));
    expect(answer.deltas).toBe(10);
  });
});

describe('a rule', () => {
  const said = async (wish: Parameters<typeof request>[1]) => {
    const rules = [
      { when: { instruction: 'GDP', protocol: 'gemini' as const }, turns: [{ text: 'gemini' }] },
      { when: { instructionMatches: '^count \\d+$' }, turns: [{ text: 'regex' }] },
      { when: { model: 'gpt-*' }, turns: [{ text: 'glob' }] },
      { when: { listed: 'growth-rates' }, turns: [{ text: 'listed' }] },
      { turns: [{ text: 'rest' }] },
    ];
    return (await readAnswer('openai-chat', await ask(rules, request('openai-chat', wish)))).text;
  };

  it('applies by instruction, model, listed Skill and protocol; the first that fits wins', async () => {
    const listing =
      '<available_skills><skill><name>growth-rates</name><description>d</description></skill></available_skills>';
    expect(await said({ instruction: 'GDP' })).toBe('rest');
    expect(await said({ instruction: 'count 12', listing })).toBe('regex');
    expect(await said({ instruction: 'x', model: 'gpt-9', listing })).toBe('glob');
    expect(await said({ instruction: 'x', listing })).toBe('listed');
    expect(await said({ instruction: `growth-rates ${listing}` })).toBe('rest');
  });
});

describe('other requests', () => {
  const get = { kind: 'list-models', method: 'GET' } as const;
  const answered = async (asked: Parameters<typeof exchange>[0]) =>
    JSON.parse((await drained(await ask([{}], exchange(asked)))).text);

  it('are counted in tokens', async () => {
    const body = { messages: [{ role: 'user', content: 'x'.repeat(100) }] };
    const tokens = Math.ceil(JSON.stringify(body).length / 4);
    const count = { kind: 'count-tokens', body } as const;
    expect(
      await answered({ protocol: 'anthropic-messages', path: '/v1/messages/count_tokens', ...count }),
    ).toEqual({ input_tokens: tokens });
    expect(await answered({ protocol: 'gemini', path: '/v1beta/models/m:countTokens', ...count })).toEqual({
      totalTokens: tokens,
    });
  });

  it('get a list of models', async () => {
    expect(await answered({ protocol: 'gemini', path: '/v1beta/models', ...get })).toMatchObject({
      models: [{ name: 'models/scripted-model' }],
    });
    expect(await answered({ protocol: 'gemini', path: '/v1beta/models/some', ...get })).toMatchObject({
      name: 'models/some',
    });
    expect(await answered({ protocol: 'openai-chat', path: '/v1/models', ...get })).toMatchObject({
      object: 'list',
      data: [{ id: 'scripted-model' }],
    });
    expect(await answered({ protocol: 'anthropic-messages', path: '/v1/models', ...get })).toMatchObject({
      data: [{ type: 'model', id: 'scripted-model' }],
      has_more: false,
    });
  });

  it('that want JSON get JSON of the asked schema', async () => {
    const schema = {
      type: 'OBJECT',
      properties: {
        complexity_reasoning: { type: 'STRING' },
        complexity_score: { type: 'INTEGER', minimum: 1 },
        choice: { type: 'STRING', enum: ['flash', 'pro'] },
      },
      required: ['complexity_reasoning', 'complexity_score', 'choice'],
    };
    const extra = { generationConfig: { responseMimeType: 'application/json', responseSchema: schema } };
    const asked = request('gemini', { instruction: 'Route it.', tools: {}, stream: false, extra });
    const answer = await readAnswer('gemini', await ask([{}], asked));
    expect(JSON.parse(answer.text)).toEqual({
      complexity_reasoning: 'scripted',
      complexity_score: 1,
      choice: 'flash',
    });
    const own = await readAnswer('gemini', await ask([{ turns: [{ text: '{"choice":"pro"}' }] }], asked));
    expect(own.text).toBe('{"choice":"pro"}');
  });

  it('that nobody knows are a 404, and a HEAD is answered', async () => {
    const other = { protocol: 'anthropic-messages', kind: 'other', path: '/api/hello' } as const;
    expect((await ask([{}], exchange({ ...other, method: 'GET' }))).status).toBe(404);
    expect((await ask([{}], exchange({ ...other, method: 'HEAD' }))).status).toBe(200);
  });

  it('a chat stream has no usage unless asked', async () => {
    const asked = request('openai-chat', { instruction: 'Go.', extra: { stream_options: undefined } });
    const events = eventsOf((await drained(await ask([{ turns: [{ text: 'x' }] }], asked))).text);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(events.some(({ data }) => data.includes('prompt_tokens'))).toBe(false);
  });
});
