import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerConnection } from '../../../../src/cli/provider-connection.ts';
import type { ProviderConnection } from '../../../../src/gateway/live/provider-agent.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { gatewayRig, REAL_KEY } from '../support/gateway-rig.ts';
import { type Issued, privateAuthority } from './support/private-authority.ts';

/** A name that no resolver knows: whoever gets there went through the proxy. */
const HOST = 'provider.test';
const SAID = '{"type":"message","content":[]}';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let issued: Issued;
const servers: Server[] = [];
const asked: { url: string | undefined; key: unknown }[] = [];
let tlsPort = 0;
let plainPort = 0;
let proxyPort = 0;
const proxied: string[] = [];

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const answer: http.RequestListener = (request, response) => {
  asked.push({ url: request.url, key: request.headers['x-api-key'] });
  response.setHeader('content-type', 'application/json').end(SAID);
};

/** Leads every name to this machine. */
function proxy(): http.Server {
  const server = http.createServer((request, response) => {
    const { pathname, host } = new URL(request.url ?? '');
    proxied.push(`${request.method} ${host}`);
    answer(Object.assign(request, { url: pathname }), response as never);
  });
  return server.on('connect', (request, socket) => {
    proxied.push(`CONNECT ${request.url}`);
    const onward = net.connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
}

beforeAll(async () => {
  folder = await temporaryFolder();
  issued = await privateAuthority(folder.path, HOST);
  tlsPort = await listening(https.createServer(issued, answer));
  plainPort = await listening(http.createServer(answer));
  proxyPort = await listening(proxy());
});

afterAll(async () => {
  for (const server of servers) server.close();
  await folder[Symbol.asyncDispose]();
});

/** Asks once through a gateway; the answer's text, or undefined where the connection broke, and what was recorded. */
async function askedThrough(providerUrl: string, connection: ProviderConnection) {
  asked.length = 0;
  proxied.length = 0;
  await using rig = await gatewayRig({ providerUrl, connection });
  const access = rig.admit();
  const response = await fetch(`${rig.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': access.token, 'content-type': 'application/json' },
    body: '{"model":"model-1","messages":[]}',
  }).catch(() => undefined);
  const text = await response?.text();
  const fault = access.fault();
  return { text, fault, records: await rig.records(access) };
}

describe('a provider by HTTPS', () => {
  it('is asked where its private authority is among the certificates that the host trusts', async () => {
    const connection = await providerConnection({ env: {} }, { trustCa: 'host' }, folder.path);
    const { text } = await askedThrough(`https://127.0.0.1:${tlsPort}`, connection);
    expect(text).toBe(SAID);
    expect(asked).toEqual([{ url: '/v1/messages', key: REAL_KEY }]);
  });

  it('is refused where nobody vouches for it, before the key is sent, and the attempt names the repair', async () => {
    const connection = await providerConnection({ env: {} }, { trustCa: 'none' }, folder.path);
    const { text, fault, records } = await askedThrough(`https://127.0.0.1:${tlsPort}`, connection);
    expect(text).toBeUndefined();
    expect(asked).toEqual([]);
    expect(fault?.reason).toBe('provider-error');
    expect(fault?.detail).toContain('trustCa: host');
    expect(records[0]?.fault).toContain('NODE_EXTRA_CA_CERTS');
  });
});

describe('a proxy of the environment', () => {
  const through = (env: Record<string, string>) =>
    providerConnection({ env }, { trustCa: 'host' }, folder.path);

  it('tunnels to a provider by HTTPS and sees no key', async () => {
    const connection = await through({ HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` });
    const { text } = await askedThrough(`https://${HOST}:${tlsPort}`, connection);
    expect(text).toBe(SAID);
    expect(proxied).toEqual([`CONNECT ${HOST}:${tlsPort}`]);
    expect(asked).toEqual([{ url: '/v1/messages', key: REAL_KEY }]);
  });

  it('is asked for a provider by HTTP', async () => {
    const connection = await through({ http_proxy: `http://127.0.0.1:${proxyPort}` });
    const { text } = await askedThrough(`http://${HOST}:81`, connection);
    expect(text).toBe(SAID);
    expect(proxied).toEqual([`POST ${HOST}:81`]);
  });

  it('is left alone for hosts of NO_PROXY', async () => {
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: `.${HOST.split('.')[1]}` };
    const { text, fault } = await askedThrough(`https://${HOST}:${tlsPort}`, await through(env));
    expect(text).toBeUndefined();
    expect(proxied).toEqual([]);
    expect(fault?.detail).toContain(HOST);
  });

  it('is left alone for a provider on this machine', async () => {
    const connection = await through({ HTTP_PROXY: `http://127.0.0.1:${proxyPort}` });
    const { text } = await askedThrough(`http://127.0.0.1:${plainPort}`, connection);
    expect(text).toBe(SAID);
    expect(proxied).toEqual([]);
  });
});
