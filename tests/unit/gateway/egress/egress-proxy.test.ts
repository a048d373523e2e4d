import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isAllowedHost } from '../../../../src/gateway/egress/allowed-host.ts';
import { chooseAddress } from '../../../../src/gateway/egress/choose-address.ts';
import { addressKind } from '../../../../src/gateway/egress/public-address.ts';
import { gatewayRig } from '../support/gateway-rig.ts';

const basic = (user: string) => `Basic ${Buffer.from(`${user}:`).toString('base64')}`;

describe('the egress proxy', () => {
  it('asks who it is, before anything else', async () => {
    await using rig = await gatewayRig({});
    const { status } = await tunnel(rig.gateway.port, 'pypi.example:443', 'skp-unknown');
    expect(status).toBe(407);
  });

  it('refuses what is not allowed, and this host under any name, and writes it down', async () => {
    const lookup = async () => ['127.0.0.1'];
    await using rig = await gatewayRig({ more: { lookup } });
    const access = rig.admit(undefined, { allowHosts: ['pypi.example'] });
    const port = rig.gateway.port;
    expect((await tunnel(port, 'evil.example:443', access.token)).status).toBe(403);
    expect((await tunnel(port, `pypi.example:${port}`, access.token)).status).toBe(403);
    expect(await plain(port, 'http://evil.example/x?y', access.token)).toBe(403);
    await access[Symbol.asyncDispose]();
    const lines = (await rig.read(access, 'egress.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { method: 'CONNECT', host: 'evil.example', port: 443, allowed: false },
      { method: 'CONNECT', host: 'pypi.example', allowed: false },
      { method: 'GET', host: 'evil.example', port: 80, allowed: false },
    ]);
  });

  it('answers 502 where an allowed name has no address', async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    await using rig = await gatewayRig({ more: { lookup } });
    const access = rig.admit(undefined, { allowHosts: ['*.example'] });
    expect((await tunnel(rig.gateway.port, 'a.example:443', access.token)).status).toBe(502);
  });
});

describe('what is allowed', () => {
  /** An address of this machine that is no loopback: here it stands for another host's. */
  const address = Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

  it('is reached by tunnel and by plain HTTP, without the token, until the trial ends', async () => {
    const seen: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      seen.push(request);
      response.end('hello');
    });
    server.listen(0, address);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const more = { lookup: async () => [String(address)], ownAddresses: () => [] };
    await using rig = await gatewayRig({ more });
    const access = rig.admit(undefined, { allowHosts: ['mirror.example'] });

    expect(await plain(rig.gateway.port, `http://mirror.example:${port}/a?b`, access.token)).toBe(200);
    expect(seen[0]?.url).toBe('/a?b');
    expect(seen[0]?.headers.host).toBe(`mirror.example:${port}`);
    expect(JSON.stringify(seen[0]?.rawHeaders)).not.toContain(
      Buffer.from(`${access.token}:`).toString('base64'),
    );

    const socket = connect(rig.gateway.port, '127.0.0.1');
    const target = `mirror.example:${port}`;
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nproxy-authorization: ${basic(access.token)}\r\nhost: ${target}\r\n\r\n`,
    );
    const [opened] = (await once(socket, 'data')) as [Buffer];
    expect(opened.toString()).toContain('200 Connection Established');
    socket.write('GET /tunnelled HTTP/1.1\r\nhost: mirror.example\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('HTTP/1.1 200');
    const closed = once(socket, 'close');
    await access[Symbol.asyncDispose]();
    await closed;
    expect((await tunnel(rig.gateway.port, target, access.token)).status).toBe(407);
    server.closeAllConnections();
    server.close();
  });
});

describe('isAllowedHost', () => {
  it.each([
    ['example.org', ['example.org'], true],
    ['Example.ORG.', ['example.org'], true],
    ['files.example.org', ['example.org'], false],
    ['files.example.org', ['*.example.org'], true],
    ['example.org', ['*.example.org'], false],
    ['evilexample.org', ['*.example.org'], false],
    ['example.org.evil.example', ['example.org', '*.example.org'], false],
    ['x', [], false],
  ])('%s by %j: %s', (host, allowed, expected) => {
    expect(isAllowedHost(host, allowed)).toBe(expected);
  });
});

describe('addressKind', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1::1', 'public'],
    ['10.1.2.3', 'private'],
    ['172.17.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['127.0.0.1', 'never'],
    ['127.9.9.9', 'never'],
    ['::1', 'never'],
    ['::ffff:127.0.0.1', 'never'],
    ['169.254.169.254', 'never'],
    ['0.0.0.0', 'never'],
    ['fe80::1', 'never'],
    ['no address', 'never'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe('chooseAddress', () => {
  const policy = (allowHosts: readonly string[], addresses: readonly string[]) => ({
    allowHosts,
    ownAddresses: ['203.0.113.9'],
    lookup: async () => addresses,
  });

  it('takes the address that was looked at', async () => {
    expect(await chooseAddress('a.example', policy(['a.example'], ['93.184.216.34']))).toEqual({
      address: '93.184.216.34',
    });
  });

  it('takes a private address only for a host that is listed by its own name', async () => {
    expect(await chooseAddress('a.example', policy(['a.example'], ['10.0.0.8']))).toEqual({
      address: '10.0.0.8',
    });
    expect(await chooseAddress('a.example', policy(['*.example'], ['10.0.0.8']))).toMatchObject({
      status: 403,
    });
  });

  it('never takes this host, nor the address of its cloud', async () => {
    for (const address of ['203.0.113.9', '127.0.0.1', '169.254.169.254']) {
      expect(await chooseAddress('a.example', policy(['a.example'], [address]))).toMatchObject({
        status: 403,
      });
      expect(await chooseAddress(address, policy([address], []))).toMatchObject({ status: 403 });
    }
  });
});

async function tunnel(
  port: number,
  target: string,
  token: string,
): Promise<{ status: number; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\nproxy-authorization: ${basic(token)}\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return { status: Number(first.toString().split(' ')[1]), socket };
}

async function plain(port: number, path: string, token: string): Promise<number> {
  const headers = { host: 'evil.example', 'proxy-authorization': basic(token) };
  const request = httpRequest({ host: '127.0.0.1', port, path, headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}
