import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../src/gateway/scripted/scripted-model.ts';
import { ModelProtocol } from '../../../src/model/model-protocol.ts';
import { ModelScript } from '../../../src/model/model-script.ts';
import { ASK, ask, gatewayRig } from './support/gateway-rig.ts';

const SCRIPT = ModelScript.parse({
  schemaVersion: 1,
  rules: [{ turns: [{ text: 'Fine.' }], fault: { kind: 'status', status: 500, firstAttempts: 2 } }],
});

describe.each(ModelProtocol.options)(
  'a script that fails the first two attempts at a request in %s',
  (protocol) => {
    it('answers the third that is the same, though none says which one it is', async () => {
      await using rig = await gatewayRig({ respond: scriptedModel(SCRIPT), settings: { providers: {} } });
      const access = rig.admit('task/no-skills/1/main', { provider: protocol });
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const response = await ask(rig.url, access.token, { protocol });
        await response.text();
        statuses.push(response.status);
      }
      expect(statuses).toEqual([500, 500, 200]);
    });

    it('counts each attempt of a trial, and each request of it, by itself', async () => {
      await using rig = await gatewayRig({ respond: scriptedModel(SCRIPT), settings: { providers: {} } });
      const status = async (token: string, body: unknown) => {
        const response = await ask(rig.url, token, { protocol, body });
        await response.text();
        return response.status;
      };
      const [first, second] = [1, 2].map(() => rig.admit('task/no-skills/1/main', { provider: protocol }));
      if (first === undefined || second === undefined) throw new Error('not admitted');
      const { body } = ASK[protocol];
      const other = { ...body, temperature: 0 };
      expect([await status(first.token, body), await status(first.token, body)]).toEqual([500, 500]);
      expect([await status(first.token, other), await status(second.token, body)]).toEqual([500, 500]);
      expect([await status(first.token, body), await status(second.token, body)]).toEqual([200, 500]);
    });
  },
);
