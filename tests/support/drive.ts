import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DriverOrder } from './record-driver.ts';

const DRIVER = fileURLToPath(new URL('./record-driver.ts', import.meta.url));

/** The driver as a child process. */
export function startDriver(order: DriverOrder) {
  return spawn(process.execPath, [DRIVER, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A hundred short lives: most of each would be spent on compiling.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'skillpair-compile-cache') },
  });
}

/** Runs the driver to its end; `killAfter`: it is killed when it has told that many things. Rejects when it fails by itself. */
export async function drive(
  order: DriverOrder,
  killAfter = Number.POSITIVE_INFINITY,
): Promise<'ended' | 'killed'> {
  const child = startDriver(order);
  let told = 0;
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString().split('\n').length - 1;
    if (told >= killAfter) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return 'killed';
  if (code !== 0) throw new Error(`the driver failed: ${errors}`);
  return 'ended';
}
