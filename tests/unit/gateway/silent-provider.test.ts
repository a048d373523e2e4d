import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/gateway/clock.ts';
import type { Respond } from '../../../src/gateway/exchange.ts';
import { ANSWER, ask, gatewayRig } from './support/gateway-rig.ts';

const HEADERS = { 'content-type': 'text/event-stream' };
const bytes = (text: string) => new TextEncoder().encode(text);

/** A clock that stands until it is put on. */
function handClock(): Clock & { putOn(ms: number): void } {
  let now = 0;
  return { now: () => now, sleep: () => Promise.resolve(), putOn: (ms) => (now += ms) };
}

/** Says the first piece, then nothing until the harness goes; `whole` answers come at once. */
function provider(answers: readonly ('silent' | 'mute' | 'whole')[]) {
  const left = [...answers];
  const asked = Promise.withResolvers<void>();
  const respond: Respond = async (_request, signal) => {
    const gone = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('gone')), { once: true });
    });
    gone.catch(() => undefined);
    const how = left.shift();
    if (how === 'mute') {
      asked.resolve();
      return await gone;
    }
    async function* body() {
      const [first, ...rest] = ANSWER['anthropic-messages'].map(
        (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      yield bytes(first ?? '');
      if (how === 'silent') {
        asked.resolve();
        await gone;
      }
      yield bytes(rest.join(''));
    }
    return { status: 200, headers: HEADERS, body: body() };
  };
  return { respond, asked: asked.promise };
}

async function rigFor(answers: Parameters<typeof provider>[0]) {
  const clock = handClock();
  const { respond, asked } = provider(answers);
  const settings = { stalledAfterSeconds: 60 };
  const rig = await gatewayRig({ respond, settings, more: { clock } });
  return { clock, asked, rig };
}

describe('a provider that says nothing', () => {
  it.each(['silent', 'mute'] as const)(
    'has failed once it was %s for long enough, whether or not the harness has left yet',
    async (how) => {
      const { clock, asked, rig } = await rigFor([how]);
      await using _rig = rig;
      const access = rig.admit();
      const harness = new AbortController();
      const asking = ask(rig.url, access.token, { signal: harness.signal })
        .then((response) => response.text())
        .catch(() => undefined);
      await asked;
      clock.putOn(59_999);
      expect(access.fault()).toBeUndefined();
      clock.putOn(1);
      const stalled = {
        reason: 'provider-error',
        detail:
          'the provider said nothing for 60 s, until the request was ended (models.stalledAfterSeconds: 60)',
      };
      expect(access.fault()).toEqual(stalled);
      harness.abort();
      await asking;
      const [record] = await rig.records(access);
      expect(record).toMatchObject({ silentMs: 60_000 });
      expect(access.fault()).toEqual(stalled);
    },
  );

  it('is forgiven by a later answer, and by what the harness ends before', async () => {
    const { clock, asked, rig } = await rigFor(['silent', 'whole']);
    await using _rig = rig;
    const access = rig.admit();
    const harness = new AbortController();
    const asking = ask(rig.url, access.token, { signal: harness.signal })
      .then((response) => response.text())
      .catch(() => undefined);
    await asked;
    clock.putOn(100_000);
    harness.abort();
    await asking;
    const again = await ask(rig.url, access.token);
    await again.text();
    const records = await rig.records(access);
    expect(records.map(({ silentMs }) => silentMs)).toEqual([100_000, undefined]);
    expect(access.fault()).toBeUndefined();
  });
});
