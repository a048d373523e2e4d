import { existsSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { EngineProbe } from './engine-action.ts';

const ANSWER_TIMEOUT_MS = 3000;

type Answer = 'answers' | 'refuses' | 'silent';

/** Looks at the machine; changes nothing. */
export async function probeEngine(env: NodeJS.ProcessEnv = process.env): Promise<EngineProbe> {
  const addresses = engineAddresses(env);
  const answers = await Promise.all(addresses.map((address) => pingEngine(address, env)));
  const first = (answer: Answer) => addresses[answers.indexOf(answer)];
  const answered = first('answers');
  const refused = first('refuses');
  return {
    ...(answered === undefined ? {} : { answered }),
    ...(refused === undefined ? {} : { refused }),
    ...(env.DOCKER_HOST ? { dockerHost: env.DOCKER_HOST } : {}),
    isRoot: process.getuid?.() === 0,
    hasApt: onPath('apt-get', env),
    isInstalled: onPath('dockerd', env),
    isRunning: readDaemonPid('/var/run/docker.pid', 'dockerd') !== undefined,
  };
}

/** Where an engine may listen, best first: DOCKER_HOST alone where it is set, else the usual sockets, root's and the user's. */
export function engineAddresses(env: NodeJS.ProcessEnv): readonly string[] {
  if (env.DOCKER_HOST) return [env.DOCKER_HOST];
  const runtimeDir = env.XDG_RUNTIME_DIR;
  const own = runtimeDir ? [join(runtimeDir, 'docker.sock'), join(runtimeDir, 'podman/podman.sock')] : [];
  const sockets = ['/var/run/docker.sock', ...own, join(homedir(), '.docker/run/docker.sock')];
  return sockets.map((path) => `unix://${path}`);
}

/** Asks one address whether an engine is there. An ssh address is taken on trust: asking would need its keys. */
export function pingEngine(address: string, env: NodeJS.ProcessEnv): Promise<Answer> {
  if (address.startsWith('ssh://')) return Promise.resolve('answers');
  return new Promise((resolve) => {
    const settle = (code: string | undefined) => resolve(code === 'EACCES' ? 'refuses' : 'silent');
    try {
      const request = openPing(address, env, (status) => resolve(status === 200 ? 'answers' : 'silent'));
      request.on('timeout', () => request.destroy());
      request.on('error', (error: NodeJS.ErrnoException) => settle(error.code));
      request.end();
    } catch (error) {
      settle((error as NodeJS.ErrnoException).code);
    }
  });
}

function openPing(address: string, env: NodeJS.ProcessEnv, onStatus: (status: number | undefined) => void) {
  const options = { path: '/_ping', timeout: ANSWER_TIMEOUT_MS };
  if (address.startsWith('unix://')) {
    const socketPath = address.slice('unix://'.length);
    return httpRequest({ ...options, socketPath }, (response) => onStatus(response.resume().statusCode));
  }
  const { protocol, hostname, port } = new URL(address.replace(/^tcp:/, 'http:'));
  if (protocol !== 'https:' && !env.DOCKER_TLS_VERIFY) {
    const target = { ...options, hostname, port: port || 2375 };
    return httpRequest(target, (response) => onStatus(response.resume().statusCode));
  }
  const certificates = env.DOCKER_CERT_PATH ?? join(homedir(), '.docker');
  const read = (name: string) => readFileSync(join(certificates, name));
  const tls = { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  const target = { ...options, ...tls, hostname, port: port || 2376 };
  return httpsRequest(target, (response) => onStatus(response.resume().statusCode));
}

/** The pid in a daemon's pid file, if that process lives and is this daemon (a pid may have been given to another since). */
export function readDaemonPid(pidFile: string, name: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name ? pid : undefined;
  } catch {
    return undefined;
  }
}

function onPath(command: string, env: NodeJS.ProcessEnv): boolean {
  const folders = (env.PATH ?? '').split(delimiter);
  return [...folders, '/usr/sbin', '/sbin'].some((folder) => existsSync(join(folder, command)));
}
