import { describe, expect, it } from 'vitest';
import { exchangeKey } from '../../../../src/gateway/cassette/exchange-key.ts';
import type { ModelRequest } from '../../../../src/gateway/exchange.ts';

const request = (body: unknown): ModelRequest => ({
  protocol: 'openai-responses',
  kind: 'generate',
  method: 'POST',
  path: '/v1/responses',
  headers: {},
  bytes: new Uint8Array(),
  body,
  model: 'm',
  stream: true,
});
const whole = (body: unknown) => exchangeKey(request(body)).whole;

describe('the key of a recorded exchange', () => {
  it.each([
    ['a session id', 'b418830b-a2c7-40dd-ba4e-b6faf8ada9cb', 'a83c18f0-b4be-423a-aa72-68dd5358579e'],
    [
      'an id behind a prefix',
      'msg_01a22a78-31e4-7ae2-88e6-2f05c971933b',
      'msg_01a22a78-4212-7ef2-a76a-9c110e80eb66',
    ],
    ['a time', 'It is 2026-11-30T03:17.', 'It is 2027-01-02T21:40.'],
    ['a day in words', 'Today is Monday, November 30, 2026.', 'Today is Friday, January 1, 2027.'],
  ])('is the same for requests that differ in %s', (_what, first, second) => {
    expect(whole({ input: [{ id: first, text: first }] })).toBe(
      whole({ input: [{ id: second, text: second }] }),
    );
  });

  it.each([
    ['a word of the prompt', 'Write 41.', 'Write 42.'],
    ['a number', 'year 1959', 'year 1960'],
    ['a name with an underscore', 'growth_rates', 'growth_table'],
  ])('is another for requests that differ in %s', (_what, first, second) => {
    expect(whole({ input: first })).not.toBe(whole({ input: second }));
  });
});
