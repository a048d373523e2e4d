import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ModelProtocol } from '../../../src/model/model-protocol.ts';
import { events, fakeProvider, json, sse } from '../../fakes/fake-provider.ts';
import { ANSWER, ASK, ask, gatewayRig, REAL_KEY } from './support/gateway-rig.ts';

const PROTOCOLS = ModelProtocol.options;

describe('a gateway in mode live', () => {
  it.each(PROTOCOLS)('passes %s through with the real key and counts what was used', async (protocol) => {
    await using provider = await fakeProvider(events(...ANSWER[protocol]));
    await using rig = await gatewayRig({ providerUrl: provider.url, protocol });
    const access = rig.admit();
    const response = await ask(rig.url, access.token, { protocol });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(sse(...ANSWER[protocol]));

    const [seen] = provider.seen;
    expect(seen?.path).toBe(ASK[protocol].path);
    expect(seen?.body).toBe(JSON.stringify(ASK[protocol].body));
    expect(JSON.stringify(seen?.headers)).toContain(REAL_KEY);
    expect(JSON.stringify(seen)).not.toContain(access.token);

    const [record] = await rig.records(access);
    const cacheWrite = { input: 1320, cachedInput: 300, cacheWrite: 20, output: 50 };
    const plain = { input: 1000, cachedInput: 300, output: 50, reasoning: 7 };
    const usage = {
      'anthropic-messages': cacheWrite,
      'openai-responses': plain,
      'openai-chat': plain,
      gemini: { ...plain, input: 1005, output: 57 },
    }[protocol];
    expect(record).toMatchObject({ number: 1, protocol, kind: 'generate', stream: true, status: 200, usage });
    expect(record).toMatchObject({ model: 'model-1', servedModel: 'model-1', retries: 0 });
    expect(record?.fault).toBeUndefined();
    expect(record?.responseBytes).toBe(Buffer.byteLength(sse(...ANSWER[protocol])));
    expect(access.use()).toMatchObject({ requests: 1, failedRequests: 0, usage, servedModels: ['model-1'] });
    expect(access.fault()).toBeUndefined();
  });

  it('hands the first byte on before the answer is over', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    await using provider = await fakeProvider((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(ANSWER['anthropic-messages'][0]));
      void mayEnd.then(() => response.end(sse(...ANSWER['anthropic-messages'].slice(1))));
    });
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    const response = await ask(rig.url, access.token);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('message_start');
    end();
    await reader?.cancel();
  });

  it('reads usage from a compressed answer and passes it on as it is', async () => {
    const { gzipSync } = await import('node:zlib');
    const body = gzipSync(sse(...ANSWER['anthropic-messages']));
    await using provider = await fakeProvider((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(body);
    });
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    const response = await ask(rig.url, access.token);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(sse(...ANSWER['anthropic-messages']));
    const [record] = await rig.records(access);
    expect(record?.usage?.input).toBe(1320);
    expect(record?.responseBytes).toBe(body.length);
  });

  it('keeps keys and tokens out of everything it writes', async () => {
    await using provider = await fakeProvider((response, seen) => {
      const said = `${String(seen.headers['x-api-key'])} and ${seen.body}`;
      json(400, { error: { type: 'invalid_request_error', message: said } })(response, seen, {} as never);
    });
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    const messages = [{ role: 'user', content: `my key is ${access.token} or ${btoa(`x${REAL_KEY}`)}` }];
    const body = { ...ASK['anthropic-messages'].body, messages, tools: [{ name: 'Bash' }] };
    const response = await ask(rig.url, access.token, { body });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain(REAL_KEY);
    await access[Symbol.asyncDispose]();
    const written =
      (await rig.read(access, 'model-requests.jsonl')) + (await rig.read(access, 'first-request.json'));
    expect(written).toContain('[redacted]');
    expect(written).not.toContain(REAL_KEY);
    expect(written).not.toContain(access.token);
    expect(written).not.toContain(btoa(`x${REAL_KEY}`).slice(4, -4));
  });
});

describe('tokens', () => {
  it.each(PROTOCOLS)('refuse a stranger in the shape of %s', async (protocol) => {
    await using rig = await gatewayRig({ protocol });
    const response = await ask(rig.url, 'skp-00000000000000000000000000000000', { protocol });
    expect(response.status).toBe(401);
    const { error, type } = (await response.json()) as { error: Record<string, unknown>; type?: string };
    expect(error.message).toContain('no trial');
    if (protocol === 'anthropic-messages')
      expect([type, error.type]).toEqual(['error', 'authentication_error']);
    else if (protocol === 'gemini') expect([error.code, error.status]).toEqual([401, 'UNAUTHENTICATED']);
    else expect(error.code).toBe('invalid_api_key');
  });

  it('mean nothing once the trial is over, and what was open is cut on both sides', async () => {
    const arrived = Promise.withResolvers<void>();
    await using provider = await fakeProvider((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(ANSWER['anthropic-messages'][0]));
      response.on('close', () => arrived.resolve());
    });
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    const response = await ask(rig.url, access.token);
    await access[Symbol.asyncDispose]();
    await expect(response.text()).rejects.toThrow();
    await arrived.promise;
    expect(provider.cut()).toBe(1);
    expect((await ask(rig.url, access.token)).status).toBe(401);
    const [record] = await rig.records(access);
    expect(record).toMatchObject({ status: 200, fault: 'the trial has ended' });
    expect(access.fault()).toBeUndefined();
  });

  it('charge each request to its own trial, also over one connection', async () => {
    await using provider = await fakeProvider(events(...ANSWER['anthropic-messages']));
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const [one, two] = [rig.admit('a/no-skills/1/main'), rig.admit('b/no-skills/1/main')];
    const body = JSON.stringify(ASK['anthropic-messages'].body);
    const head = (token: string, more = '') =>
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: ${token}\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(rig.gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      head(one.token) +
        head(two.token) +
        head(two.token) +
        head(one.token, `authorization: Bearer ${two.token}\r\nconnection: close\r\n`),
    );
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString();
    });
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 401',
    ]);
    expect([one.use().requests, two.use().requests]).toEqual([1, 2]);
  });

  it.each([
    ['authorization', (token: string) => ({ authorization: `Bearer ${token}` }), ''],
    ['x-goog-api-key', (token: string) => ({ 'x-goog-api-key': token }), ''],
    ['?key=', () => ({}), '?key='],
  ])('are read from %s', async (_name, headers, query) => {
    await using provider = await fakeProvider(events(...ANSWER['anthropic-messages']));
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    const path = `/v1/messages${query === '' ? '' : query + access.token}`;
    const body = JSON.stringify(ASK['anthropic-messages'].body);
    const response = await fetch(rig.url + path, { method: 'POST', headers: headers(access.token), body });
    expect(response.status).toBe(200);
    expect(provider.seen[0]?.path).toBe('/v1/messages');
  });
});

describe('what is no model request', () => {
  it('is greeted, refused or turned away, and the log says so', async () => {
    await using rig = await gatewayRig({ respond: () => Promise.reject(new Error('nobody asks')) });
    const access = rig.admit();
    expect((await fetch(rig.url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${rig.url}/api/hello`, { method: 'HEAD' })).status).toBe(200);
    const strange = await fetch(`${rig.url}/v1/files`, { headers: { 'x-api-key': access.token } });
    expect(strange.status).toBe(404);
    const [record] = await rig.records(access);
    expect(record).toMatchObject({ kind: 'other', status: 404 });
    expect(record?.fault).toContain('GET /v1/files');
  });

  it('is told to use plain HTTP where it wants a web socket', async () => {
    await using rig = await gatewayRig({});
    const request = httpRequest(`${rig.url}/v1/responses`, {
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x' },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(426);
  });

  it('is refused with 413 where its body is too large', async () => {
    await using rig = await gatewayRig({});
    const access = rig.admit();
    const request = httpRequest(`${rig.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': access.token, 'content-length': String(64 * 2 ** 20 + 1) },
    });
    request.on('error', () => undefined);
    request.write('{');
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(413);
    request.destroy();
  });
});

describe('a client that takes the gateway for its proxy', () => {
  it('reaches the gateway itself all the same', async () => {
    await using provider = await fakeProvider(events(...ANSWER['anthropic-messages']));
    await using rig = await gatewayRig({ providerUrl: provider.url });
    const access = rig.admit();
    const request = httpRequest({
      host: '127.0.0.1',
      port: rig.gateway.port,
      method: 'POST',
      path: `${rig.url}/v1/messages?beta=true`,
      headers: { 'x-api-key': access.token },
    });
    request.end(JSON.stringify(ASK['anthropic-messages'].body));
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(provider.seen[0]?.path).toBe('/v1/messages?beta=true');
  });
});

describe('further addresses', () => {
  it('are listened on with the same port until the gateway ends', async () => {
    await using rig = await gatewayRig({});
    await rig.gateway.listen('127.0.0.2');
    const url = `http://127.0.0.2:${rig.gateway.port}`;
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    await rig.gateway[Symbol.asyncDispose]();
    await expect(fetch(url, { method: 'HEAD' })).rejects.toThrow();
  });
});
