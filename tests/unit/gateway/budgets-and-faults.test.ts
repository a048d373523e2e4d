import { describe, expect, it } from 'vitest';
import { ModelProtocol } from '../../../src/model/model-protocol.ts';
import { type Answering, events, fakeProvider, json, sse } from '../../fakes/fake-provider.ts';
import { ANSWER, ask, gatewayRig } from './support/gateway-rig.ts';

const PROTOCOL = 'anthropic-messages';
const fine = events(...ANSWER[PROTOCOL]);
const WITH = 'task/with-skills/1/main';
const WITHOUT = 'task/no-skills/1/main';

/** Asks, and reads the answer to its end: only then is it counted. */
async function asked(url: string, token: string, protocol: ModelProtocol = PROTOCOL): Promise<Response> {
  const response = await ask(url, token, { protocol });
  const body = await response.text().catch(() => '');
  return new Response(body === '' ? null : body, { status: response.status, headers: response.headers });
}

describe('budgets', () => {
  it.each(ModelProtocol.options)(
    'refuse the request after the last one in the shape of %s',
    async (protocol) => {
      await using provider = await fakeProvider(events(...ANSWER[protocol]));
      const settings = { budgets: { trial: { requests: 2 } } };
      await using rig = await gatewayRig({ providerUrl: provider.url, protocol, settings });
      const [access, other] = [rig.admit(WITH), rig.admit(WITHOUT)];
      await asked(rig.url, access.token, protocol);
      await asked(rig.url, access.token, protocol);
      expect(access.exhausted.aborted).toBe(false);
      const refused = await asked(rig.url, access.token, protocol);
      expect(refused.status).toBe(protocol === 'openai-responses' ? 429 : 403);
      expect(refused.headers.get('retry-after')).toBeNull();
      expect(access.exhausted.aborted).toBe(true);
      expect(access.fault()).toEqual({
        reason: 'budget-exhausted',
        detail: `the budget of trial ${WITH}, 2 requests, is used up`,
      });
      expect(provider.seen).toHaveLength(2);
      expect((await asked(rig.url, other.token, protocol)).status).toBe(200);
      expect(other.fault()).toBeUndefined();
    },
  );

  it('of a run end all of its attempts alike, also those that come later', async () => {
    await using provider = await fakeProvider(fine);
    // One answer is 1320 tokens in and 50 out.
    const settings = { budgets: { run: { tokens: 1371 } } };
    await using rig = await gatewayRig({ providerUrl: provider.url, settings });
    const [one, two] = [rig.admit(WITH), rig.admit(WITHOUT)];
    await asked(rig.url, one.token);
    await asked(rig.url, two.token);
    expect([one.exhausted.aborted, two.exhausted.aborted]).toEqual([false, false]);
    await asked(rig.url, two.token);
    expect([one.exhausted.aborted, two.exhausted.aborted]).toEqual([true, true]);
    const late = rig.admit('late/no-skills/1/main');
    expect(late.exhausted.aborted).toBe(true);
    for (const access of [one, two, late]) {
      expect(access.fault()?.detail).toBe('the budget of the run, 1371 tokens, is used up: 2740 were spent');
    }
  });

  it('of a configuration hold for it alone, in dollars too', async () => {
    await using provider = await fakeProvider(fine);
    const settings = { budgets: { configuration: { usd: 0.5 } } };
    const more = { price: () => 0.25 };
    await using rig = await gatewayRig({ providerUrl: provider.url, settings, more });
    const [one, two] = [rig.admit(WITH), rig.admit(WITHOUT)];
    const other = rig.admit('task/no-skills/1/other', { configuration: 'other' });
    await asked(rig.url, one.token);
    await asked(rig.url, two.token);
    expect((await asked(rig.url, one.token)).status).toBe(403);
    expect(two.fault()?.detail).toContain('configuration main, 0.5 US dollars');
    expect((await asked(rig.url, other.token)).status).toBe(200);
    expect(other.exhausted.aborted).toBe(false);
  });
});

describe('faults', () => {
  const cut: Answering = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sse(ANSWER[PROTOCOL][0]), () => response.destroy());
  };
  const gone: Answering = (response) => {
    response.destroy();
  };
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'later' } };

  it.each([
    ['an error of the server', json(500, { error: { message: 'oh' } }), 'provider-error', 'answered 500'],
    [
      'a model that is not there',
      json(404, { error: { message: 'no such model' } }),
      'provider-error',
      '404',
    ],
    ['a cut stream', cut, 'provider-error', 'was cut'],
    ['no answer at all', gone, 'provider-error', 'gave no answer'],
    ['an error inside of a stream', events(overloaded), 'provider-error', 'overloaded_error: later'],
    ['an empty stream', events(), 'provider-error', 'ended before its end'],
    [
      'an empty account',
      json(400, { error: { message: 'Your credit balance is too low' } }),
      'provider-limit',
      '400',
    ],
  ])('are seen in %s, and forgiven when a later answer came', async (_name, answering, reason, detail) => {
    await using provider = await fakeProvider(answering);
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    await asked(rig.url, access.token).catch(() => undefined);
    expect(access.fault()?.reason).toBe(reason);
    expect(access.fault()?.detail).toContain(detail);
    provider.answer(fine);
    await asked(rig.url, access.token);
    expect(access.fault()).toBeUndefined();
    const records = await rig.records(access);
    expect(records.map(({ number, fault }) => [number, fault === undefined])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('stop asking with a key that was refused, for all trials of the account', async () => {
    await using provider = await fakeProvider(json(401, { error: { message: 'bad key' } }));
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const [one, two] = [rig.admit(WITH), rig.admit(WITHOUT)];
    expect((await asked(rig.url, one.token)).status).toBe(401);
    expect((await asked(rig.url, two.token)).status).toBe(401);
    expect(provider.seen).toHaveLength(1);
    expect([one.fault()?.reason, two.fault()?.reason]).toEqual(['provider-auth', 'provider-auth']);
    expect(two.fault()?.detail).toContain('not asked');
  });

  it.each([
    ['record', undefined],
    ['void', 'model-1 was asked for and model-1-2026-01-01 answered'],
  ])('mind another model only where the experiment says so: %s', async (servedModelDiffers, detail) => {
    const served = structuredClone(ANSWER[PROTOCOL]) as unknown as [{ message: { model: string } }];
    served[0].message.model = 'model-1-2026-01-01';
    await using provider = await fakeProvider(events(...served));
    await using rig = await gatewayRig({ providerUrl: provider.url, settings: { servedModelDiffers } });
    const access = rig.admit();
    await asked(rig.url, access.token);
    expect(access.use()).toMatchObject({ askedModels: ['model-1'], servedModels: ['model-1-2026-01-01'] });
    if (detail === undefined) expect(access.fault()).toBeUndefined();
    else
      expect(access.fault()).toMatchObject({
        reason: 'model-mismatch',
        detail: expect.stringContaining(detail),
      });
  });
});
