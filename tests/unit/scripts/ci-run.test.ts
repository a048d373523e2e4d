import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const CI_RUN = join(import.meta.dirname, '../../../.ci/run');

/** What each npm command of the CI run prints and how it ends; a command that is not named succeeds in silence. */
type Steps = Record<string, { prints?: string; exits?: number }>;

describe('.ci/run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'skillpair-ci-'));
    cpSync(CI_RUN, join(folder, '.ci/run'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it with an npm of ours; the tests' step passes two unless said otherwise. */
  async function ciRun(steps: Steps) {
    const all: Steps = { test: { prints: '2 passed, 0 failed' }, ...steps };
    const cases = Object.entries(all).map(
      ([name, { prints = '', exits = 0 }]) => `${name}) echo '${prints}'; exit ${exits} ;;`,
    );
    mkdirSync(join(folder, 'bin'));
    const npm = `#!/bin/sh\n[ "$1" = run ] && shift\ncase $1 in\n${cases.join('\n')}\nesac\n`;
    writeFileSync(join(folder, 'bin/npm'), npm);
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
    const { stdout, exitCode } = await execa('bash', ['.ci/run'], {
      cwd: folder,
      env: { PATH: path },
      reject: false,
    });
    return { lastLine: stdout.split('\n').at(-1), stdout, exitCode };
  }

  test('counts each test and each other step: gates, bundles, the demo twice', async () => {
    expect(await ciRun({})).toMatchObject({ lastLine: '6 passed, 0 failed', exitCode: 0 });
  });

  test('fails with the tests, and shows what failed', async () => {
    const result = await ciRun({
      test: { prints: 'failed: skipped: an engine test\n5 passed, 1 failed', exits: 1 },
    });
    expect(result).toMatchObject({ lastLine: '9 passed, 1 failed', exitCode: 1 });
    expect(result.stdout).toContain('failed: skipped: an engine test');
  });

  test.each([
    { what: 'printed no count', step: { prints: 'out of memory', exits: 134 } },
    { what: 'printed no count and claimed success', step: { prints: '' } },
  ])('counts a failure when the tests $what', async ({ step }) => {
    expect(await ciRun({ test: step })).toMatchObject({ lastLine: '4 passed, 1 failed', exitCode: 1 });
  });

  test('counts a failure when the tests ended badly after a good count', async () => {
    const result = await ciRun({ test: { prints: '2 passed, 0 failed', exits: 1 } });
    expect(result).toMatchObject({ lastLine: '6 passed, 1 failed', exitCode: 1 });
  });

  test.each(['check', 'bundles'])('goes on after %s failed, and fails', async (name) => {
    const result = await ciRun({ [name]: { prints: 'the reason', exits: 1 } });
    expect(result).toMatchObject({ lastLine: '5 passed, 1 failed', exitCode: 1 });
    expect(result.stdout).toContain('the reason');
  });

  test('stops where the set-up failed, since nothing else can hold then', async () => {
    expect(await ciRun({ setup: { exits: 3 } })).toMatchObject({
      lastLine: '0 passed, 1 failed',
      exitCode: 1,
    });
  });
});
