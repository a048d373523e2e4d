import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/random.ts';
import { Account } from '../../../../src/gateway/account/account.ts';
import { type Asked, askProvider, RETRY_PATIENCE_MS } from '../../../../src/gateway/account/ask-provider.ts';
import type { ModelRequest, ModelResponse, Respond } from '../../../../src/gateway/exchange.ts';
import { once } from '../../../../src/gateway/protocol-error.ts';
import { makeRedactor } from '../../../../src/gateway/redact/redactor.ts';
import { type SimulatedClock, simulatedClock } from '../../../fakes/simulated-clock.ts';

const REQUEST: ModelRequest = {
  protocol: 'anthropic-messages',
  kind: 'generate',
  method: 'POST',
  path: '/v1/messages',
  headers: {},
  bytes: new Uint8Array(),
  body: {},
  model: 'model-1',
  stream: true,
};
const NEVER = new AbortController().signal;
const redactor = makeRedactor([]);
const redactors = { redactor, answerRedactor: redactor };

function answer(status: number, headers: Record<string, string> = {}, text = '{}'): ModelResponse {
  return { status, headers, body: once(Buffer.from(text)) };
}

/** Decides whether a request that arrives now is taken; else for how long it asks to wait, where it says. */
type Limit = (now: number) => 'taken' | { readonly waitMs: number | undefined };

/** So many in each window of so many ms, all windows beginning at multiples of it. */
function fixedWindow(count: number, windowMs: number, tells: boolean): Limit {
  let window = -1;
  let taken = 0;
  return (now) => {
    const present = Math.floor(now / windowMs);
    if (present !== window) {
      window = present;
      taken = 0;
    }
    if (taken < count) {
      taken++;
      return 'taken';
    }
    return { waitMs: tells ? Math.ceil(((window + 1) * windowMs - now) / 1000) * 1000 : undefined };
  };
}

/** So many within any so many ms; tells nothing. */
function slidingWindow(count: number, windowMs: number): Limit {
  let taken: number[] = [];
  return (now) => {
    taken = taken.filter((at) => at > now - windowMs);
    if (taken.length >= count) return { waitMs: undefined };
    taken.push(now);
    return 'taken';
  };
}

/** A bucket that fills evenly and holds so many. */
function bucket(perSecond: number, capacity: number, tells: boolean): Limit {
  let tokens = capacity;
  let at = 0;
  return (now) => {
    tokens = Math.min(capacity, tokens + ((now - at) * perSecond) / 1000);
    at = now;
    if (tokens >= 1) {
      tokens--;
      return 'taken';
    }
    return { waitMs: tells ? Math.ceil((1 - tokens) / perSecond) * 1000 : undefined };
  };
}

function limited(
  clock: SimulatedClock,
  limit: Limit,
  latencyMs: number,
): { respond: Respond; refused(): number; taken(from: number, to: number): number } {
  let refused = 0;
  const taken: number[] = [];
  return {
    refused: () => refused,
    taken: (from, to) => taken.filter((at) => at >= from && at < to).length,
    respond: async () => {
      const decided = limit(clock.now());
      if (decided === 'taken') taken.push(clock.now());
      await clock.sleep(decided === 'taken' ? latencyMs : 50, NEVER);
      if (decided === 'taken') return answer(200);
      refused++;
      const headers = decided.waitMs === undefined ? {} : { 'retry-after': String(decided.waitMs / 1000) };
      return answer(429, headers);
    },
  };
}

describe('many trials on one limited account', () => {
  it.each([
    ['60 a minute in fixed windows that tell their end', fixedWindow(60, 60_000, true), 60, 1, 600],
    ['50 in ten seconds in fixed windows that tell nothing', fixedWindow(50, 10_000, false), 50, 5, 1000],
    ['20 a second in fixed windows', fixedWindow(20, 1000, true), 20, 20, 2000],
    ['a bucket of 60 filled with 1 a second', bucket(1, 60, true), 60, 1, 600],
    ['a bucket of 10 filled with 10 a second', bucket(10, 10, true), 10, 10, 1200],
    ['a bucket of 10 filled with 10 a second that tells nothing', bucket(10, 10, false), 10, 10, 1200],
    ['a bucket of 2 filled with 10 a second that tells nothing', bucket(10, 2, false), 2, 10, 1200],
  ])('lose no request and reach 90 percent of %s', async (_name, limit, burst, perSecond, total) => {
    const clock = simulatedClock();
    const provider = limited(clock, limit, 1500);
    const account = new Account({ clock, random: seededRandom(7) });
    let left = total;
    const statuses: number[] = [];
    const trial = async () => {
      while (left-- > 0) {
        const since = clock.now();
        const asked: Asked = await askProvider(
          REQUEST,
          { account, respond: provider.respond, clock, ...redactors, since },
          NEVER,
        );
        asked.done();
        statuses.push(asked.response.status);
      }
    };
    await clock.run(Promise.all(Array.from({ length: 32 }, trial)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(total);
    // The bucket's or window's first filling is free; the rest comes at the limit.
    const atTheLimitMs = ((total - burst) / perSecond) * 1000;
    expect(clock.now()).toBeLessThanOrEqual(atTheLimitMs / 0.9 + 1500);
    expect(provider.refused()).toBeLessThan(total / 4);
  });

  it.each([
    ['10 in fixed windows', fixedWindow(10, 60_000, false), 10, 32],
    ['60 in fixed windows', fixedWindow(60, 60_000, false), 60, 32],
    ['600 in fixed windows', fixedWindow(600, 60_000, false), 600, 32],
    ['600 in fixed windows, with 100 trials', fixedWindow(600, 60_000, false), 600, 100],
    ['10 in sliding windows', slidingWindow(10, 60_000), 10, 32],
    ['60 in sliding windows', slidingWindow(60, 60_000), 60, 32],
    ['60 in sliding windows, with 100 trials', slidingWindow(60, 60_000), 60, 100],
    ['600 in sliding windows', slidingWindow(600, 60_000), 600, 32],
  ])(
    'reach 90 percent of a silent limit a minute after the first: %s',
    async (_name, limit, count, trials) => {
      const clock = simulatedClock();
      const provider = limited(clock, limit, 1500);
      const account = new Account({ clock, random: seededRandom(7) });
      const windows = 4;
      const statuses: number[] = [];
      const trial = async () => {
        while (clock.now() < windows * 60_000) {
          const since = clock.now();
          const { respond } = provider;
          const asked = await askProvider(REQUEST, { account, respond, clock, ...redactors, since }, NEVER);
          asked.done();
          statuses.push(asked.response.status);
        }
      };
      await clock.run(Promise.all(Array.from({ length: trials }, trial)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(provider.taken(60_000, windows * 60_000)).toBeGreaterThanOrEqual(0.9 * (windows - 1) * count);
      // What is under way when the limit is first met is refused together; after that a window refuses a few.
      expect(provider.refused()).toBeLessThan(3 * trials + 10 * windows);
    },
  );

  it('keep to the configured number of requests a minute and of open ones', async () => {
    const clock = simulatedClock();
    const account = new Account({ clock, random: seededRandom(1), requestsPerMinute: 120, maxConcurrent: 3 });
    let open = 0;
    let most = 0;
    const begun: number[] = [];
    const respond: Respond = async () => {
      begun.push(clock.now());
      most = Math.max(most, ++open);
      await clock.sleep(2000, NEVER);
      open--;
      return answer(200);
    };
    const all = Array.from({ length: 30 }, async (_, since) => {
      (await askProvider(REQUEST, { account, respond, clock, ...redactors, since }, NEVER)).done();
    });
    await clock.run(Promise.all(all));
    expect(most).toBe(3);
    // 3 open for 2 s each: 1.5 a second; the first three come 500 ms apart.
    expect(begun.slice(0, 4)).toEqual([0, 500, 1000, 2000]);
    expect(clock.now()).toBe(21_000);
  });
});

describe('one request', () => {
  const ask = (clock: SimulatedClock, respond: Respond, signal = NEVER) => {
    const account = new Account({ clock, random: () => 0.5 });
    return {
      account,
      asked: askProvider(REQUEST, { account, respond, clock, ...redactors, since: 0 }, signal),
    };
  };

  it('is asked again after 429, 503 and 529, when the provider says so', async () => {
    const clock = simulatedClock();
    const at: number[] = [];
    const answers = [
      answer(429, { 'retry-after': '3' }),
      answer(503, { 'retry-after': new Date(10_000).toUTCString() }),
      answer(529, {}, '{"error":{"details":[{"retryDelay":"1.5s"}]}}'),
      answer(200),
    ];
    const respond: Respond = () => {
      at.push(clock.now());
      return Promise.resolve(answers.shift() as ModelResponse);
    };
    const { response, retries, waitedMs } = await clock.run(ask(clock, respond).asked);
    expect(response.status).toBe(200);
    expect(at).toEqual([0, 3000, 10_000, 11_500]);
    expect([retries, waitedMs]).toEqual([3, 11_500]);
  });

  it('gets the refusal in the end where it stays', async () => {
    const clock = simulatedClock();
    const { asked } = ask(clock, () => Promise.resolve(answer(429)));
    expect((await clock.run(asked)).response.status).toBe(429);
    expect(clock.now()).toBeGreaterThanOrEqual(RETRY_PATIENCE_MS);
    expect(clock.now()).toBeLessThan(RETRY_PATIENCE_MS + 80_000);
  });

  it('is asked again after a refusal however long its turn was in coming', async () => {
    const clock = simulatedClock();
    const account = new Account({ clock, random: () => 0.5, maxConcurrent: 1 });
    const answers = [answer(200), answer(429), answer(200)];
    const respond: Respond = async () => answers.shift() as ModelResponse;
    const ask = (since: number) =>
      askProvider(REQUEST, { account, respond, clock, ...redactors, since }, NEVER);
    const first = await clock.run(ask(0));
    const second = ask(1);
    await clock.run(clock.sleep(RETRY_PATIENCE_MS + 1, NEVER));
    first.done();
    expect((await clock.run(second)).response.status).toBe(200);
  });

  it('is not asked again where waiting cannot help, or would take too long', async () => {
    const clock = simulatedClock();
    const broke = '{"error":{"code":"insufficient_quota"}}';
    expect((await clock.run(ask(clock, async () => answer(429, {}, broke)).asked)).retries).toBe(0);
    expect(
      (await clock.run(ask(clock, async () => answer(429, { 'retry-after': '3600' })).asked)).retries,
    ).toBe(0);
    expect((await clock.run(ask(clock, async () => answer(500)).asked)).retries).toBe(0);
    expect(clock.now()).toBe(0);
  });

  it('stops waiting when its trial ends', async () => {
    const clock = simulatedClock();
    const end = new AbortController();
    const { asked } = ask(clock, () => Promise.resolve(answer(429, { 'retry-after': '60' })), end.signal);
    const outcome = asked.catch((error: unknown) => error);
    await clock.run(clock.sleep(1000, NEVER));
    end.abort(new Error('the trial has ended'));
    expect(await clock.run(outcome)).toEqual(new Error('the trial has ended'));
    expect(clock.now()).toBe(1000);
  });

  it('makes the account refuse everything after the provider refused the key', async () => {
    const clock = simulatedClock();
    const { account, asked } = ask(clock, () => Promise.resolve(answer(401)));
    await clock.run(asked);
    expect(account.refusal).toContain('401');
  });
});
