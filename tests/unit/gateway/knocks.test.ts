import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { gatewayRig } from './support/gateway-rig.ts';

const respond = () => Promise.reject(new Error('no model is asked here'));

it('hears a knock with what it tells, and notices when the visitor goes', async () => {
  await using rig = await gatewayRig({ respond });
  using knock = rig.gateway.expectKnock();
  const visitor = request(`${rig.url}${knock.path}?port=7001&through=a-name`);
  visitor.end();
  const [answer] = await once(visitor, 'response');
  expect(answer.statusCode).toBe(200);
  const { told, gone } = await knock.heard;
  expect(told).toEqual({ port: '7001', through: 'a-name' });
  expect(gone.aborted).toBe(false);
  const noticed = once(gone, 'abort');
  answer.on('error', () => undefined);
  visitor.destroy();
  await noticed;
});

it('hears each expected visitor once, and no stranger', async () => {
  await using rig = await gatewayRig({ respond });
  const knock = rig.gateway.expectKnock();
  const first = new AbortController();
  expect((await fetch(`${rig.url}${knock.path}`, { signal: first.signal })).status).toBe(200);
  expect((await fetch(`${rig.url}${knock.path}`)).status).toBe(404);
  expect((await fetch(`${rig.url}/knock/guessed`)).status).toBe(404);
  const forgotten = rig.gateway.expectKnock();
  forgotten[Symbol.dispose]();
  expect((await fetch(`${rig.url}${forgotten.path}`)).status).toBe(404);
  first.abort();
});

it('takes an address under which it answers for its own, and no other', async () => {
  await using rig = await gatewayRig({ respond });
  rig.gateway.answerTo('172.30.0.1:7001');
  const statusOf = async (address: string): Promise<string> => {
    const socket = connect(rig.gateway.port, '127.0.0.1');
    socket.write(`GET ${address} HTTP/1.1\r\nhost: any\r\nconnection: close\r\n\r\n`);
    return (await text(socket)).slice(9, 12);
  };
  expect(await statusOf('http://172.30.0.1:7001/')).toBe('200');
  expect(await statusOf('http://172.30.0.1:7002/')).toBe('407');
  expect(await statusOf('http://172.30.0.2:7001/')).toBe('407');
});
