import { setTimeout as delay } from 'node:timers/promises';
import { connectEngine } from '../src/engine/docker/connect.ts';
import { type Engine, EngineError } from '../src/engine/engine.ts';
import { engineAction } from './engine-action.ts';
import { installPackages } from './install-packages.ts';
import { machineLock } from './machine-lock.ts';
import { machineState } from './machine-state.ts';
import { SetupFailure } from './setup-failure.ts';
import { startDaemon } from './start-daemon.ts';

const ANSWER_TIMEOUT_MS = 90_000;
const POLL_MS = 200;

/**
 * An engine that answers. One that does already is used as it is; else, as root on a system with apt, Docker is
 * installed and started, which one line says. Rejects with {@link SetupFailure}.
 */
export async function ensureEngine(): Promise<Engine> {
  const found = await answeringEngine();
  if (found !== undefined) return found;
  await using _lock = await machineLock('engine');
  return (await answeringEngine()) ?? (await bringUp());
}

async function bringUp(): Promise<Engine> {
  const action = engineAction(machineState(process.env));
  switch (action.kind) {
    case 'explain':
      throw new SetupFailure(action.message, { repair: action.repair });
    case 'wait':
      return await firstAnswer(undefined);
    case 'start':
      return await start();
    case 'install': {
      console.error(
        'setup: no container engine answers; installing and starting Docker (apt-get install docker.io) ...',
      );
      await installPackages(['docker.io'], false);
      // The package starts its service where the system has a service manager that may.
      return machineState(process.env).isRunning ? await firstAnswer(undefined) : await start();
    }
  }
}

async function start(): Promise<Engine> {
  const daemon = await startDaemon();
  try {
    return await firstAnswer(daemon.ended);
  } catch (error) {
    throw new SetupFailure(`dockerd does not answer; the end of its log:\n${await daemon.logTail()}`, {
      repair: `mend what ${daemon.logPath} says, and run this again`,
      cause: error,
    });
  }
}

/** Waits for an answer, as long as the daemon (where we started it) has not ended. */
async function firstAnswer(ended: AbortSignal | undefined): Promise<Engine> {
  for (const deadline = performance.now() + ANSWER_TIMEOUT_MS; performance.now() < deadline; ) {
    const engine = await answeringEngine();
    if (engine !== undefined) return engine;
    if (ended?.aborted) break;
    await delay(POLL_MS);
  }
  throw new SetupFailure('the container engine was started and does not answer', {
    repair: 'look at its log (journalctl -u docker) and restart it',
  });
}

async function answeringEngine(): Promise<Engine | undefined> {
  try {
    return await connectEngine({ env: process.env });
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'unreachable') return undefined;
    throw error;
  }
}
