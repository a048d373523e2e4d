import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/gateway/scripted/scripted-model.ts';
import { ModelProtocol } from '../../../../src/model/model-protocol.ts';
import { ModelScript } from '../../../../src/model/model-script.ts';
import { drained, eventsOf, readAnswer } from './support/read-answer.ts';
import { request } from './support/requests.ts';
import { ask } from './support/script.ts';

const TURNS = [
  { shell: 'echo a rather long command, so that there is something to cut' },
  { text: 'A text of some length that ends it.' },
];
const ERRORS = {
  'anthropic-messages': { type: 'error', error: { type: 'rate_limit_error' } },
  'openai-responses': { error: { code: 'rate_limit_exceeded' } },
  'openai-chat': { error: { code: 'rate_limit_exceeded' } },
  gemini: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
} as const;
const MID_STREAM = {
  'anthropic-messages': { type: 'error', error: { type: 'overloaded_error' } },
  'openai-responses': {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error' } },
  },
  'openai-chat': { error: { type: 'server_error' } },
  gemini: { error: { code: 529 } },
} as const;

describe.each(ModelProtocol.options)('in %s', (protocol) => {
  const asked = request(protocol, { instruction: 'Go.' });
  const plain = request(protocol, { instruction: 'Go.', stream: false });

  it('a status comes in the form of the protocol, with Retry-After', async () => {
    const answer = await ask(
      [{ turns: TURNS, fault: { kind: 'status', status: 429, retryAfter: 3 } }],
      asked,
    );
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3']);
    expect(JSON.parse((await drained(answer)).text)).toMatchObject(ERRORS[protocol]);
  });

  it.each([401, 403, 404, 500, 503, 529])('status %i is an error object', async (status) => {
    const answer = await ask([{ fault: { kind: 'status', status } }], asked);
    expect(answer.status).toBe(status);
    expect(JSON.parse((await drained(answer)).text).error.message).toMatch(/^scripted/);
    expect(answer.headers).not.toHaveProperty('retry-after');
  });

  it('no answer: nothing until the harness goes', async () => {
    const gone = new AbortController();
    const script = ModelScript.parse({ schemaVersion: 1, rules: [{ fault: { kind: 'no-answer' } }] });
    const waiting = scriptedModel(script)(asked, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });

  it('no body: headers, then nothing until the harness goes', async () => {
    const gone = new AbortController();
    const script = ModelScript.parse({ schemaVersion: 1, rules: [{ fault: { kind: 'no-body' } }] });
    const answer = await scriptedModel(script)(asked, gone.signal);
    expect(answer.status).toBe(200);
    gone.abort(new Error('gone'));
    expect(await drained(answer)).toEqual({ text: '', error: new Error('gone') });
  });

  it('reset: no answer at all', async () => {
    await expect(ask([{ fault: { kind: 'reset' } }], asked)).rejects.toThrow('breaks the connection');
  });

  it('garbage: an event that is not JSON ends the stream; a plain answer is whole', async () => {
    const rules = [{ turns: TURNS, fault: { kind: 'garbage' as const } }];
    const events = eventsOf((await drained(await ask(rules, asked))).text);
    expect(() => JSON.parse(events.at(-1)?.data ?? '')).toThrow('JSON');
    expect((await readAnswer(protocol, await ask(rules, plain))).calls).toHaveLength(1);
  });

  it('a stream error: the error event of the protocol ends the stream; a plain answer is whole', async () => {
    const rules = [{ turns: TURNS, fault: { kind: 'stream-error' as const } }];
    const events = eventsOf((await drained(await ask(rules, asked))).text);
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject(MID_STREAM[protocol]);
    expect((await readAnswer(protocol, await ask(rules, plain))).calls).toHaveLength(1);
  });

  it('truncate: a part of the good stream, then a broken connection', async () => {
    const whole = await drained(await ask([{ turns: TURNS }], asked));
    const cut = await drained(await ask([{ turns: TURNS, fault: { kind: 'truncate' } }], asked));
    expect(cut.error).toBeInstanceOf(Error);
    expect(cut.text.length).toBeGreaterThan(20);
    expect(cut.text.length).toBeLessThan(whole.text.length);
    expect(whole.text.startsWith(cut.text)).toBe(true);
  });

  it('stall: a part of the good stream, then silence until the harness goes', async () => {
    const gone = new AbortController();
    const script = ModelScript.parse({
      schemaVersion: 1,
      rules: [{ turns: TURNS, fault: { kind: 'stall' } }],
    });
    const { body } = await scriptedModel(script)(asked, gone.signal);
    const reading = body[Symbol.asyncIterator]();
    expect((await reading.next()).value?.length).toBeGreaterThan(10);
    gone.abort(new Error('gone'));
    const rest = async () => {
      while (!(await reading.next()).done);
    };
    await expect(rest()).rejects.toThrow('gone');
  });

  it('html and empty: status 200 and no answer in it', async () => {
    const page = await ask([{ fault: { kind: 'html' } }], asked);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await drained(page)).text).toContain('<html>');
    const nothing = await ask([{ fault: { kind: 'empty' } }], asked);
    expect([nothing.status, (await drained(nothing)).text]).toEqual([200, '']);
  });

  it('bad arguments: the call is there, its arguments are no JSON object', async () => {
    const { text } = await drained(await ask([{ turns: TURNS, fault: { kind: 'bad-arguments' } }], asked));
    if (protocol === 'gemini') {
      expect(
        JSON.parse(eventsOf(text).at(-1)?.data ?? '').candidates[0].content.parts[0].functionCall.args,
      ).toMatch(/^\{"/);
    } else {
      const answer = {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: [Buffer.from(text)],
      };
      await expect(
        readAnswer(protocol, {
          ...answer,
          body: (async function* () {
            yield Buffer.from(text);
          })(),
        }),
      ).rejects.toThrow('JSON');
    }
  });

  it('another model signs', async () => {
    const rules = [{ turns: TURNS, fault: { kind: 'served-model' as const, model: 'cheaper' } }];
    expect((await readAnswer(protocol, await ask(rules, asked))).model).toBe('cheaper');
    expect((await readAnswer(protocol, await ask(rules, plain))).model).toBe('cheaper');
  });
});

describe('a fault', () => {
  const fault = { kind: 'status' as const, status: 500, from: 1, firstAttempts: 2 };
  const status = async (rounds: number, retries?: string) => {
    const headers: Record<string, string> =
      retries === undefined ? {} : { 'x-stainless-retry-count': retries };
    const wish = {
      instruction: 'Go.',
      rounds: Array.from({ length: rounds }, () => ({ back: 'ok' })),
      headers,
    };
    return (await ask([{ turns: TURNS, fault }], request('anthropic-messages', wish))).status;
  };

  it('begins with a turn', async () => {
    expect([await status(0), await status(1), await status(2)]).toEqual([200, 500, 500]);
  });

  it.each(ModelProtocol.options)(
    'ends with an attempt of %s, by how often the same came before',
    async (protocol) => {
      const wish = request(protocol, { instruction: 'Go.', rounds: [{ back: 'ok' }] });
      const statuses = await Promise.all(
        [0, 1, 2, 3].map(
          async (repeats) => (await ask([{ turns: TURNS, fault }], { ...wish, repeats })).status,
        ),
      );
      expect(statuses).toEqual([500, 500, 200, 200]);
    },
  );

  it('ends by the greater of count and header: a header may stay at 0, or be no number', async () => {
    const about = async (retries: string, repeats: number) => {
      const wish = {
        instruction: 'Go.',
        rounds: [{ back: 'ok' }],
        headers: { 'x-stainless-retry-count': retries },
      };
      const asked = { ...request('anthropic-messages', wish), repeats };
      return (await ask([{ turns: TURNS, fault }], asked)).status;
    };
    expect([await about('0', 2), await about('2', 0), await about('1', 1), await about('x', 2)]).toEqual([
      200, 200, 500, 200,
    ]);
  });

  it('ends with an attempt, where the harness says which one it is', async () => {
    expect([await status(1, '0'), await status(1, '1'), await status(1, '2')]).toEqual([500, 500, 200]);
  });
});
