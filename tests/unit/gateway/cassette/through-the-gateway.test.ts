import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordRespond } from '../../../../src/gateway/cassette/record-respond.ts';
import { openCassette, replayRespond } from '../../../../src/gateway/cassette/replay-respond.ts';
import { liveResponder } from '../../../../src/gateway/live/live-respond.ts';
import { makeRedactor } from '../../../../src/gateway/redact/redactor.ts';
import { ModelProtocol } from '../../../../src/model/model-protocol.ts';
import { events, fakeProvider } from '../../../fakes/fake-provider.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { ANSWER, ask, gatewayRig, REAL_KEY } from '../support/gateway-rig.ts';

describe('a run that is recorded through the gateway', () => {
  it.each(ModelProtocol.options)(
    'replays with the provider gone, with the same counts: %s',
    async (protocol) => {
      await using folder = await temporaryFolder();
      const dir = join(folder.path, 'cassette');
      let said: string;
      let used: unknown;
      {
        await using provider = await fakeProvider(events(...ANSWER[protocol]));
        using live = liveResponder({ protocol, baseUrl: provider.url, key: REAL_KEY });
        const redactor = makeRedactor([REAL_KEY]);
        await using rig = await gatewayRig({
          protocol,
          settings: { mode: 'record' },
          more: {
            respond: (admission) => recordRespond({ dir, admission, respond: live.respond, redactor }),
          },
        });
        const access = rig.admit();
        said = await (await ask(rig.url, access.token, { protocol })).text();
        await access[Symbol.asyncDispose]();
        used = access.use().usage;
      }
      const cassette = await openCassette(dir);
      await using rig = await gatewayRig({
        protocol,
        settings: { mode: 'replay' },
        more: { respond: (admission) => replayRespond(cassette, admission) },
      });
      const access = rig.admit();
      expect(await (await ask(rig.url, access.token, { protocol })).text()).toBe(said);
      const missing = await ask(rig.url, access.token, { protocol });
      expect(missing.status).toBe(404);
      expect(await missing.text()).toContain('record it again');
      expect(access.fault()).toMatchObject({ reason: 'provider-error' });
      expect(access.fault()?.detail).toContain('holds no answer');
      await access[Symbol.asyncDispose]();
      expect(access.use()).toMatchObject({ mode: 'replay', usage: used });
    },
  );
});
