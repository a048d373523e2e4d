import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** One call of the engine's interface, as it passes. */
export interface ProxyCall {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** Without version and query. */
  readonly path: string;
}

/**
 * What becomes of a call. `reset`: its connection breaks before the engine hears of it; `lost`: after the engine has done it, before the
 * answer is sent; `hang`: nothing is ever said. An answer in the engine's place has a status and its words.
 */
export type Fate =
  | 'pass'
  | 'reset'
  | 'lost'
  | 'hang'
  | { readonly status: number; readonly message: string }
  | { readonly afterMs: number };

/** What a proxy does to the calls that come by. */
export interface ProxyRules {
  readonly fate?: (call: ProxyCall) => Fate;
  /** Told when the engine has answered, before the answer goes on. */
  readonly answered?: (call: ProxyCall) => void;
}

/** A socket in front of the real engine: whatever an engine can do to its clients, without doing it to the engine. */
export interface EngineProxy extends AsyncDisposable {
  /** For DOCKER_HOST. */
  readonly address: string;
  /** `METHOD /path` of every call so far. */
  readonly calls: readonly string[];
  /** Replaces the rules. */
  rule(rules: ProxyRules): void;
  /** Breaks every connection and listens no more, as an engine that is being restarted. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  /** Connections from clients that are open now. */
  connections(): number;
}

const ENGINE_SOCKET = process.env.DOCKER_HOST?.replace(/^unix:\/\//, '') ?? '/var/run/docker.sock';

/** Starts a proxy that lets everything pass. */
export async function makeEngineProxy(rules: ProxyRules = {}): Promise<EngineProxy> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-proxy-'));
  const path = join(dir, 'engine.sock');
  const calls: string[] = [];
  const open = new Set<Duplex>();
  const state = { rules };
  const server = createServer((incoming, outgoing) => {
    const call = arrive(incoming, calls);
    void suffer(state.rules.fate?.(call) ?? 'pass', call, { incoming, outgoing, rules: state.rules });
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    const call = arrive(incoming, calls);
    void upgrade(state.rules.fate?.(call) ?? 'pass', call, { incoming, socket, rules: state.rules });
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  const listen = () => new Promise<void>((resolve) => server.listen(path, resolve));
  const leave = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
    await rm(path, { force: true });
  };
  await listen();
  return {
    address: `unix://${path}`,
    calls,
    rule: (next) => {
      state.rules = next;
    },
    leave,
    comeBack: listen,
    connections: () => open.size,
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await leave();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function arrive(incoming: IncomingMessage, calls: string[]): ProxyCall {
  const method = incoming.method ?? '';
  const path = new URL(incoming.url ?? '/', 'http://engine').pathname.replace(/^\/v1\.\d+/, '');
  calls.push(`${method} ${path}`);
  return { number: calls.length, method, path };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly rules: ProxyRules;
}

async function suffer(fate: Fate, call: ProxyCall, { incoming, outgoing, rules }: Exchange): Promise<void> {
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  if (fate === 'reset') incoming.socket.destroy();
  if (fate === 'hang') incoming.resume();
  if (fate === 'reset' || fate === 'hang') return;
  if (typeof fate === 'object' && 'status' in fate) {
    incoming.resume().on('end', () => refuse(outgoing, fate));
    return;
  }
  if (typeof fate === 'object') await new Promise((resolve) => setTimeout(resolve, fate.afterMs));
  const { method, url: path, headers } = incoming;
  const onward = request({ socketPath: ENGINE_SOCKET, method, path, headers }, (answer) => {
    rules.answered?.(call);
    answer.on('error', () => outgoing.destroy());
    if (fate === 'lost') {
      // Events have no end: what was answered is what came first.
      answer.on(call.path === '/events' ? 'data' : 'end', () => incoming.socket.destroy()).resume();
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

function refuse(outgoing: ServerResponse, { status, message }: { status: number; message: string }): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ message }));
}

interface Takeover {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly rules: ProxyRules;
}

async function upgrade(fate: Fate, call: ProxyCall, { incoming, socket, rules }: Takeover): Promise<void> {
  if (fate === 'reset' || fate === 'lost') socket.destroy();
  if (fate === 'reset' || fate === 'lost' || fate === 'hang') return;
  if (typeof fate === 'object' && 'status' in fate) {
    const body = JSON.stringify({ message: fate.message });
    socket.end(
      `HTTP/1.1 ${fate.status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return;
  }
  if (typeof fate === 'object') await new Promise((resolve) => setTimeout(resolve, fate.afterMs));
  const { method, url: path, headers } = incoming;
  const onward = request({ socketPath: ENGINE_SOCKET, method, path, headers });
  onward.on('error', () => socket.destroy());
  onward.on('response', (answer) => {
    const head = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`;
    socket.write(head);
    answer.pipe(socket);
  });
  onward.on('upgrade', (answer, engine, first) => {
    rules.answered?.(call);
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(`HTTP/1.1 101 UPGRADED\r\n${lines.join('\r\n')}\r\n\r\n`);
    if (first.length > 0) socket.write(first);
    engine.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => engine.destroy()).on('close', () => engine.destroy());
    engine.pipe(socket);
    socket.pipe(engine);
  });
  onward.end();
}
