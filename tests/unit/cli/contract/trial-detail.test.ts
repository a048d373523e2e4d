import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { trialDetail } from '../../../../src/cli/contract/trial-detail.ts';
import type { AgentResult } from '../../../../src/model/attempt.ts';
import type { Outcome } from '../../../../src/model/outcome.ts';
import { modelUse } from '../../../support/model-use.ts';

const FAILED: Outcome = { kind: 'scored', verdict: { passed: false, reward: 0, tests: [] } };
const AGENT: AgentResult = {
  ending: 'crashed',
  exitCode: 3,
  durationMs: 1,
  stdoutBytes: 0,
  stderrBytes: 0,
};

describe('what is known of a trial that did not do what it should have', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'trial-detail-'));
    await mkdir(join(dir, 'agent'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  test('names exit code, requests, the last words of stderr and the folder', async () => {
    await writeFile(
      join(dir, 'agent', 'stderr.log'),
      'starting\nsettings.json: \u001b[31mno JSON\u001b[0m\n\n',
    );
    const detail = await trialDetail(dir, {
      outcome: FAILED,
      agent: AGENT,
      modelUse: modelUse({ requests: 4 }),
    });
    expect(detail.split('\n')).toEqual([
      'agent: crashed, exit code 3',
      'model requests: 4',
      'agent/stderr.log ends with: settings.json: no JSON',
      `evidence: ${dir}`,
    ]);
  });

  test('says that a program without a request never reached the gateway', async () => {
    const detail = await trialDetail(dir, {
      outcome: FAILED,
      agent: AGENT,
      modelUse: modelUse({ requests: 0 }),
    });
    expect(detail).toContain('model requests: 0, the program never reached the gateway with its token');
    expect(detail).toContain('agent/stderr.log is empty');
  });

  test('says nothing of requests for a harness without a model', async () => {
    expect(await trialDetail(dir, { outcome: FAILED, agent: AGENT })).not.toContain('request');
  });

  test('begins with the fault of a trial without a verdict, where no agent may have been', async () => {
    const outcome: Outcome = {
      kind: 'unscored',
      reason: 'harness-install-failed',
      phase: 'build',
      detail: 'no bundle',
    };
    expect((await trialDetail(dir, { outcome })).split('\n').slice(0, 2)).toEqual([
      'no bundle',
      'no agent was started',
    ]);
  });

  test('shows what an error says, not where in the program it came from', async () => {
    const error =
      'Error: settings.json is no JSON\n    at read (file:///x/cli.js:454:5)\n    at Array.map (<anonymous>)\n    at file:///x/cli.js:9:1\n';
    await writeFile(join(dir, 'agent', 'stderr.log'), error);
    expect(await trialDetail(dir, { outcome: FAILED, agent: AGENT })).toContain(
      'ends with: Error: settings.json is no JSON\n',
    );
  });

  test('cuts a last line that is long', async () => {
    await writeFile(join(dir, 'agent', 'stderr.log'), 'x'.repeat(5000));
    const detail = await trialDetail(dir, { outcome: FAILED, agent: AGENT });
    expect(detail).toContain(`ends with: ${'x'.repeat(297)}...\n`);
  });

  test('tells an agent that a limit ended from one that ended by itself', async () => {
    const agent: AgentResult = { ...AGENT, ending: 'timed-out', exitCode: null, signal: 'SIGKILL' };
    expect(await trialDetail(dir, { outcome: FAILED, agent })).toContain(
      'agent: timed-out, no exit code (SIGKILL)',
    );
  });
});
