import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { LockedError } from '../../../src/base/lock-file.ts';
import type { Environment } from '../../../src/cli/environment.ts';
import { printFailure } from '../../../src/cli/print-failure.ts';
import { EngineError } from '../../../src/engine/engine.ts';
import { Fault } from '../../../src/model/fault.ts';
import { InputError } from '../../../src/model/problem.ts';
import { DiskError } from '../../../src/record/disk-error.ts';

async function printed(error: unknown): Promise<{ code: number; text: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const environment: Environment = {
    cwd: '/',
    env: {},
    stdout: { stream: stdout, isTty: false, columns: 80 },
    stderr: { stream: stderr, isTty: false, columns: 80 },
    now: () => new Date(0),
    onSignal: () => () => undefined,
    stdin: { stream: new PassThrough() },
  };
  const code = await printFailure(environment, error);
  stderr.end();
  return { code, text: await text(stderr) };
}

const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

it.each<[string, unknown, number, RegExp]>([
  [
    'bad input',
    new InputError([{ severity: 'error', message: 'it is wrong', repair: 'write it right' }]),
    2,
    /^error: it is wrong\n {2}repair: write it right\n$/,
  ],
  ['a lock that is held', new LockedError('/x.lock', { pid: 7, host: 'h' }), 2, /process 7 on h\n {2}fix: /],
  [
    'an engine that is gone',
    new EngineError('ping', 'unreachable', 'nobody'),
    3,
    /^error: ping: nobody\n {2}fix: .*skillpair doctor/,
  ],
  ['a fault', new Fault('build-failed', 'build', 'no base'), 3, /^error: no base\n$/],
  [
    'a full disk under a record',
    new DiskError('/runs/a', { cause: full }),
    3,
    /^error: the disk is full: \/runs\/a .*run or resume: all that is recorded stands/,
  ],
  ['a full disk elsewhere', full, 3, /^error: ENOSPC.*\n {2}fix: free disk space/],
  ['anything else', new TypeError('oh'), 4, /^error: a fault of skillpair itself: TypeError: oh\n {4}at /],
])('%s is printed for what it is', async (_what, error, code, says) => {
  const found = await printed(error);
  expect(found.code).toBe(code);
  expect(found.text).toMatch(says);
});
