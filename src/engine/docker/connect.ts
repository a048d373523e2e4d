import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import { inspect } from 'node:util';
import Docker from 'dockerode';
import { type Engine, EngineError } from '../engine.ts';
import { engineAddresses } from './addresses.ts';
import { DockerApi } from './api.ts';
import { DockerEngine } from './docker-engine.ts';
import { engineErrorFrom } from './engine-error.ts';
import type { TroubleListener } from './patience.ts';

/** Environment variables, as given by the caller. */
type Environment = Readonly<Record<string, string | undefined>>;

const PING_BUDGET_MS = 10_000;
/** Idle connections go before any engine or proxy would close them under a request. */
const IDLE_CONNECTION_MS = 4_000;
/** Connections kept for the next call; the number in use at once is not limited (each attach and wait holds one). */
const IDLE_CONNECTIONS = 64;

/**
 * Finds the engine: `DOCKER_HOST` alone where it is set, otherwise the first of the usual sockets that answers a
 * ping. Rejects with kind `unreachable` and a list of what was tried and why each failed. Reads nothing but `env`.
 * `tell` is told, all the engine's life, of calls that had to be made again.
 */
export async function connectEngine({
  env,
  tell,
}: {
  readonly env: Environment;
  readonly tell?: TroubleListener;
}): Promise<Engine> {
  const tried: string[] = [];
  for (const candidate of engineAddresses(env)) {
    try {
      const api = new DockerApi(new Docker(await connection(candidate.address, env)), tell);
      await api.run({ operation: 'ping', method: 'GET', path: '/_ping', withinMs: PING_BUDGET_MS });
      return new DockerEngine(api, candidate.address);
    } catch (error) {
      tried.push(`  ${candidate.address} (${candidate.origin}): ${reason(error)}`);
    }
  }
  throw new EngineError('connect', 'unreachable', unreachable(tried, env));
}

function unreachable(tried: readonly string[], env: Environment): string {
  const repair =
    env.DOCKER_HOST === undefined || env.DOCKER_HOST.trim() === ''
      ? 'Start Docker, or set DOCKER_HOST to where an engine listens.'
      : 'DOCKER_HOST is set, so no other place was tried. Start that engine, or unset DOCKER_HOST.';
  return `no container engine answers. Tried:\n${tried.join('\n')}\n${repair}`;
}

function reason(error: unknown): string {
  const { code, syscall } = (error instanceof EngineError ? error.cause : error) as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'connect') return 'there is no such socket';
  if (code === 'EACCES' && syscall === 'connect')
    return 'permission denied (is this user in the group that may use the engine?)';
  if (code === 'ECONNREFUSED') return 'nobody listens there';
  const mapped = engineErrorFrom('ping', error);
  return mapped.message.replace(`${mapped.operation}: `, '');
}

/** Every member is given, since dockerode fills those that are missing from its own reading of the process environment. */
async function connection(address: string, env: Environment): Promise<Docker.DockerOptions> {
  const none = { socketPath: undefined, host: undefined, port: undefined, timeout: undefined };
  const noTls = { ca: undefined, cert: undefined, key: undefined };
  if (address.startsWith('unix://')) {
    const socketPath = address.slice('unix://'.length);
    return asOptions({
      ...none,
      ...noTls,
      socketPath,
      protocol: 'http',
      agent: quiet(new HttpAgent(agentOptions)),
    });
  }
  const { hostname: host, port } = remote(address);
  const secure = (env.DOCKER_TLS_VERIFY ?? '') !== '' || port === '2376';
  if (!secure) {
    const agent = quiet(new HttpAgent(agentOptions));
    return asOptions({ ...none, ...noTls, host, port: port || '2375', protocol: 'http', agent });
  }
  const tls = await certificates(env);
  const agent = quiet(new HttpsAgent(agentOptions));
  return asOptions({ ...none, ...tls, host, port: port || '2376', protocol: 'https', agent });
}

const agentOptions = { keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, timeout: IDLE_CONNECTION_MS };

function remote(address: string): URL {
  if (!/^(tcp|http|https):\/\//.test(address)) {
    throw new Error('only unix:// and tcp:// addresses are supported');
  }
  return new URL(address.replace(/^tcp:/, 'http:'));
}

async function certificates(env: Environment): Promise<Record<'ca' | 'cert' | 'key', Buffer>> {
  const folder = env.DOCKER_CERT_PATH || join(env.HOME ?? '', '.docker');
  const [ca, cert, key] = await Promise.all(
    (['ca.pem', 'cert.pem', 'key.pem'] as const).map((name) => readFile(join(folder, name))),
  );
  return { ca, cert, key } as Record<'ca' | 'cert' | 'key', Buffer>;
}

/**
 * docker-modem renders its request options, the agent with all its sockets among them, for a debug line at every
 * call, shown or not: some 6 ms a call, ten times the call itself. A fixed rendering takes that away.
 */
function quiet<T extends HttpAgent>(agent: T): T {
  Object.defineProperty(agent, inspect.custom, { value: () => 'Agent' });
  return agent;
}

/** The members that are undefined on purpose have no place in dockerode's types. */
function asOptions(options: Readonly<Record<string, unknown>>): Docker.DockerOptions {
  return options as Docker.DockerOptions;
}
