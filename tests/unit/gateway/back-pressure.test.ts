import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Respond } from '../../../src/gateway/exchange.ts';
import { ask, gatewayRig } from './support/gateway-rig.ts';

const MIB = 2 ** 20;
const EVENT = Buffer.from(`data: {"type":"content_block_delta","text":"${'x'.repeat(64 * 1024)}"}\n\n`);
const END = Buffer.from('data: {"type":"message_stop"}\n\n');

describe('a long stream', () => {
  it('is taken from the provider no faster than the harness reads it', async () => {
    let sent = 0;
    const respond: Respond = async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: (async function* () {
        for (; sent < 1024; sent++) yield EVENT;
        yield END;
      })(),
    });
    await using rig = await gatewayRig({ respond });
    const access = rig.admit();
    const socket = connect(rig.gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const body = '{"model":"m","stream":true}';
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: ${access.token}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    // Nothing is read: what was taken stands still once the sockets' own buffers are full.
    let before = -1;
    for (let same = 0; same < 20; ) {
      await new Promise((done) => setImmediate(done));
      same = sent === before && sent > 0 ? same + 1 : 0;
      before = sent;
    }
    expect(sent).toBeLessThan(400);
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    socket.resume();
    await once(socket, 'close');
    expect(sent).toBe(1024);
    expect(bytes).toBeGreaterThan(64 * MIB);
    const [record] = await rig.records(access);
    expect(record?.responseBytes).toBe(1024 * EVENT.length + END.length);
    expect(record?.fault).toBeUndefined();
  });

  it('ends at the provider when the harness leaves', async () => {
    const { promise: cut, resolve } = Promise.withResolvers<void>();
    const respond: Respond = async (_request, signal) => {
      signal.addEventListener('abort', () => resolve());
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: (async function* () {
          yield EVENT;
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        })(),
      };
    };
    await using rig = await gatewayRig({ respond });
    const access = rig.admit();
    const response = await ask(rig.url, access.token);
    await response.body?.cancel();
    await cut;
    const [record] = await rig.records(access);
    expect(record?.fault).toBe('the harness closed the connection');
    expect(access.fault()).toBeUndefined();
  });

  it.each(['a body', 'an answer'])(
    'is given up with its trial, also where it waits for ever for %s',
    async (what) => {
      const forever = new Promise<never>(() => undefined);
      const arrived = Promise.withResolvers<void>();
      const respond: Respond = async () => {
        arrived.resolve();
        if (what === 'an answer') return forever;
        return {
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          body: (async function* () {
            yield EVENT;
            await forever;
          })(),
        };
      };
      await using rig = await gatewayRig({ respond });
      const access = rig.admit();
      const asked = ask(rig.url, access.token).then((response) => response.text());
      const cut = expect(asked).rejects.toThrow();
      await arrived.promise;
      const [record] = await rig.records(access);
      await cut;
      expect(record?.fault).toBe('the trial has ended');
    },
  );
});
