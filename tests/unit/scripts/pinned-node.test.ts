import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import project from '../../../package.json' with { type: 'json' };

const MODULE = join(import.meta.dirname, '../../../scripts/pinned-node.mjs');

/** A process that becomes the pinned Node with this program. */
function launch(program: string): ChildProcessByStdio<Writable, Readable, null> {
  const launcher = `import(${JSON.stringify(MODULE)}).then((m) => m.becomePinnedNode(['-e', ${JSON.stringify(program)}]))`;
  return spawn(process.execPath, ['-e', launcher], { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('becomePinnedNode', () => {
  test('ends with the exit code of the program', async () => {
    expect(await once(launch('process.exit(7)'), 'exit')).toEqual([7, null]);
  });

  test('runs the Node of the lock and passes the streams through', async () => {
    const child = launch('process.stdout.write(process.version); process.stdin.pipe(process.stdout)');
    child.stdin.end(' and what came in');
    expect(await text(child.stdout)).toBe(`v${project.dependencies.node} and what came in`);
  });

  test('passes a signal on, and lets the program decide how it ends', async () => {
    const child = launch(
      "process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')",
    );
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
  });

  test('ends by the signal that ended the program', async () => {
    const child = launch("setInterval(() => {}, 1000); console.log('ready')");
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });
});
