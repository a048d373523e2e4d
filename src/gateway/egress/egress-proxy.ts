import { lookup as systemLookup } from 'node:dns/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectTo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import { proxyTokens } from '../tokens.ts';
import type { TrialSession } from '../trial-session.ts';
import { type Chosen, chooseAddress, type Lookup } from './choose-address.ts';
import { openTunnel } from './open-tunnel.ts';

/** What the proxy needs to know. */
export interface EgressProxyOptions {
  /** By token; those that ended are not in it. */
  readonly sessions: ReadonlyMap<string, TrialSession>;
  readonly clock: Clock;
  readonly lookup?: Lookup | undefined;
  /** Absent: what the system says. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
}

interface Target {
  readonly method: string;
  readonly host: string;
  readonly port: number;
}

const ASK_FOR_TOKEN = 'Basic realm="skillpair trial"';

/**
 * Lets attempts out to the hosts that their tasks allow, and to no other: as a tunnel (CONNECT) and for plain HTTP. Who asks is known by
 * the trial's token as the proxy's user or password. What is refused is written down, and so is what was let through.
 */
export class EgressProxy {
  readonly #options: EgressProxyOptions;

  constructor(options: EgressProxyOptions) {
    this.#options = options;
  }

  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const session = this.#sessionOf(request);
    if (session === undefined) {
      const ask = `proxy-authenticate: ${ASK_FOR_TOKEN}\r\ncontent-length: 0\r\nconnection: close`;
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${ask}\r\n\r\n`);
      return;
    }
    session.track(this.#tunnel(session, request, { socket, head }).catch(() => void socket.destroy()));
  }

  forward(request: IncomingMessage, response: ServerResponse): void {
    const session = this.#sessionOf(request);
    if (session === undefined) {
      response.writeHead(407, { 'proxy-authenticate': ASK_FOR_TOKEN, connection: 'close' }).end();
      return;
    }
    session.track(this.#forward(session, request, response).catch(() => void response.destroy()));
  }

  async #tunnel(
    session: TrialSession,
    request: IncomingMessage,
    client: { readonly socket: Duplex; readonly head: Buffer },
  ): Promise<void> {
    const { socket, head } = client;
    const url = URL.parse(`tcp://${request.url ?? ''}`);
    const target = { method: 'CONNECT', host: url?.hostname ?? '', port: Number(url?.port || 443) };
    const chosen = await this.#choose(session, target);
    if ('refusal' in chosen) {
      const text = `${chosen.refusal}\n`;
      const headers = `content-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close`;
      socket.end(
        `HTTP/1.1 ${chosen.status} ${http.STATUS_CODES[chosen.status]}\r\n${headers}\r\n\r\n${text}`,
      );
      return;
    }
    const upstream = connectTo({ host: chosen.address, port: target.port, signal: session.ended });
    await openTunnel({ socket, head, upstream, signal: session.ended });
  }

  async #forward(session: TrialSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '');
    if (url?.protocol !== 'http:') {
      response
        .writeHead(400, { connection: 'close' })
        .end('an address that begins with http:// is expected\n');
      return;
    }
    const { method = 'GET' } = request;
    const target = { method, host: url.hostname, port: Number(url.port || 80) };
    const chosen = await this.#choose(session, target);
    if ('refusal' in chosen) {
      response
        .writeHead(chosen.status, { 'content-type': 'text/plain', connection: 'close' })
        .end(`${chosen.refusal}\n`);
      return;
    }
    const { 'proxy-authorization': _token, 'proxy-connection': _connection, ...headers } = request.headers;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const upstream = http.request({
      host: chosen.address,
      port: target.port,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, connection: 'close' },
      signal: session.ended,
    });
    upstream.on('error', reject);
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', reject);
    });
    response.on('close', () => {
      upstream.destroy();
      resolve();
    });
    request.pipe(upstream);
    return promise;
  }

  async #choose(session: TrialSession, target: Target): Promise<Chosen> {
    const chosen = await chooseAddress(target.host, {
      allowHosts: session.admission.allowHosts,
      ownAddresses: (this.#options.ownAddresses ?? addressesOfThisHost)(),
      lookup: this.#options.lookup ?? lookupAll,
    });
    const at = new Date(this.#options.clock.now()).toISOString();
    const { method, host, port } = target;
    session.log.egress({ at, method, host, port, allowed: !('refusal' in chosen), ...chosen });
    return chosen;
  }

  #sessionOf(request: IncomingMessage): TrialSession | undefined {
    const found = proxyTokens(request.headers)
      .map((token) => this.#options.sessions.get(token))
      .filter((session) => session !== undefined);
    const different = new Set(found);
    return different.size === 1 ? found[0] : undefined;
  }
}

async function lookupAll(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}

/** Looked at each time: networks come and go with runs. */
function addressesOfThisHost(): readonly string[] {
  return Object.values(networkInterfaces())
    .flat()
    .map((entry) => entry?.address)
    .filter((address) => address !== undefined);
}
