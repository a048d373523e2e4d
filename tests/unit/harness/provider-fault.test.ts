import { describe, expect, it } from 'vitest';
import {
  isContextOverflow,
  providerFault,
  reasonOfStatus,
  refusalAsAnswer,
} from '../../../src/harness/provider-fault.ts';

describe('what a message tells of the provider', () => {
  // The wordings that the pinned versions were seen to write.
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['Failed to authenticate. API Error: 401 {"type":"error"}', 'provider-auth'],
    ['Not logged in · Please run /login', 'provider-auth'],
    ['unexpected status 401 Unauthorized: bad key', 'provider-auth'],
    ['unexpected status 403 Forbidden: no', 'provider-auth'],
    [
      'LLMBadRequestError: litellm.BadRequestError: OpenAIException - Incorrect API key provided: sk-1',
      'provider-auth',
    ],
    ['Missing environment variable: `FAKE_API_KEY`.', 'provider-auth'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'provider-limit'],
    ['[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]', 'provider-limit'],
    ['API Error: Request rejected (429) · slow down', 'provider-limit'],
    ['Your credit balance is too low', 'provider-limit'],
    ["We're currently experiencing high demand", 'provider-error'],
    ['stream disconnected before completion: closed', 'provider-error'],
    ['API Error: Connection refused', 'provider-error'],
    ['API Error: 529 {"error":{"type":"overloaded_error"}}', 'provider-error'],
    ['API returned an empty or malformed response (HTTP 200)', 'provider-error'],
    ["There's an issue with the selected model (x)", 'provider-error'],
    ['[API Error: fetch failed]', 'provider-error'],
    ['agent loop died', undefined],
    ['', undefined],
  ];
  it.each(cases)('%s', (message, reason) => {
    expect(providerFault(message)?.reason).toBe(reason);
  });

  it('is decided by the status where one is known, whatever the words', () => {
    expect(providerFault('rate limit', 401)?.reason).toBe('provider-auth');
    expect(providerFault('', 429)).toEqual({ reason: 'provider-limit', detail: 'HTTP status 429' });
    expect([402, 403, 404, 500].map(reasonOfStatus)).toEqual([
      'provider-limit',
      'provider-auth',
      'provider-error',
      'provider-error',
    ]);
  });

  it('is kept to one line of 300 characters', () => {
    expect(providerFault('[API Error: 429]\nAsk again\n later')?.detail).toBe(
      '[API Error: 429] Ask again later',
    );
    expect(providerFault(`timeout ${'x'.repeat(9000)}`)?.detail).toHaveLength(300);
  });
});

describe('a final answer', () => {
  it('is a refusal only where it begins as one', () => {
    expect(refusalAsAnswer('API Error: 429 {"type":"error"}')?.reason).toBe('provider-limit');
    expect(refusalAsAnswer('[API Error: quota exceeded]')?.reason).toBe('provider-limit');
    expect(refusalAsAnswer('{"error": {"code": 401}}')?.reason).toBe('provider-auth');
    expect(refusalAsAnswer('429 Too Many Requests')?.reason).toBe('provider-limit');
    for (const answer of [
      'The log shows API Error: 429.',
      '429 lines were changed.',
      'Done. Unauthorized users get 401.',
      'The rate limit of the service is now 10/s.',
      '401 records match.',
    ]) {
      expect([answer, refusalAsAnswer(answer)]).toEqual([answer, undefined]);
    }
  });

  it('says that the conversation outgrew the model in the words of four providers', () => {
    for (const message of [
      'Prompt is too long',
      'Your input exceeds the context window of this model',
      "This model's maximum context length is 128000 tokens",
      'The input token count (1200000) exceeds the maximum number of tokens allowed',
    ]) {
      expect([message, isContextOverflow(message)]).toEqual([message, true]);
    }
    expect(isContextOverflow('connection reset')).toBe(false);
  });
});
