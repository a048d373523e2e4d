import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The Node that runs the sources: the npm package `node`, at the version of the lock. */
export const PINNED_NODE = join(ROOT, 'node_modules/node/bin/node');

/**
 * Its memory may hold keys. Only a shell can say so, since Node sets no limits. The soft limit alone: what set-up starts, the engine say, must be
 * free to give its own programs another.
 */
const NO_CORE_FILE = 'ulimit -S -c 0; exec "$0" "$@"';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

/**
 * Runs the pinned Node with these arguments and ends as it ends: same streams, same signals, same exit code.
 * A terminal's Ctrl-C reaches the child twice (from the terminal and from here); programs ignore such doubles.
 */
export function becomePinnedNode(args) {
  // It then knows that a signal may come twice.
  const env = { ...process.env, SKILLPAIR_LAUNCHED: '1' };
  const child = spawn('/bin/sh', ['-c', NO_CORE_FILE, PINNED_NODE, ...args], { stdio: 'inherit', env });
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  child.on('error', (error) => {
    console.error(`error: ${PINNED_NODE} cannot be started: ${error.message}`);
    console.error('fix: npm ci');
    process.exit(3);
  });
  child.on('exit', (code, signal) => {
    for (const each of FORWARDED) process.off(each, forward);
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    if (signal !== null) process.kill(process.pid, signal);
  });
}
