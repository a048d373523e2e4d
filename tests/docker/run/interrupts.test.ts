import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { attemptsOf } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig, removeTaskImages } from './docker-rig.ts';

/** Works for as long as a file says that the test does not end it: writes the answer first, then waits. */
const SLOW = 'mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt; sleep ';
/** What is tested here is no matter of conditions; the other arm would only take its time. */
const ONE_ARM = 'conditions: [no-skills]\n';
const reasonOf = ({ outcome }: AttemptRecord) =>
  outcome.kind === 'unscored' ? outcome.reason : outcome.verdict.passed ? 'passed' : 'failed';

describe('a run that is interrupted', () => {
  let rig: DockerRig;
  beforeAll(async () => {
    rig = await makeDockerRig();
    await rig.addHarness('quick', `${SLOW}0`);
    await rig.addHarness('slow', `${SLOW}4`);
    await rig.addHarness('endless', `${SLOW}600`);
    await rig.addExperiment(
      'slow',
      `configurations: [{ harness: slow }]\nconcurrency: 1\ntrials: 2\n${ONE_ARM}`,
    );
    await rig.addExperiment('endless', `configurations: [{ harness: endless }]\ntrials: 2\n${ONE_ARM}`);
    // The images are there afterwards, so that what follows tells of trials and not of builds.
    const quick = await rig.addExperiment('quick', `configurations: [{ harness: quick }]\n${ONE_ARM}`);
    const { code, stderr } = await rig.run(['run', quick, '--run-id', rig.runId()]);
    if (code !== 0) throw new Error(stderr);
  }, 240_000);
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await removeTaskImages('rt-answer');
  });
  const begin = (name: string, run: string, ...more: string[]) =>
    rig.start(['run', `experiments/${name}.yaml`, '--run-id', run, ...more]);
  const reports = (run: string) =>
    ['junit.xml', 'report.md'].map((name) => existsSync(join(rig.dir, 'runs', run, 'reports', name)));

  /** Waits until an agent's container of the run is running. */
  async function agentRuns(run: string): Promise<string> {
    const filter = ['--filter', `label=skillpair.run=${run}`, '--filter', 'label=skillpair.kind=agent'];
    for (;;) {
      const { stdout } = await execa('docker', ['ps', '-q', ...filter, '--filter', 'status=running']);
      const [id] = stdout.split('\n');
      if (id) return id;
    }
  }

  it('once: finishes what runs, starts nothing new, writes the reports, says how to go on, and ends with 130', async () => {
    const run = rig.runId();
    const running = begin('slow', run);
    await agentRuns(run);
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.done;
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted: no new trial is started');
    expect(stdout + stderr).toMatch(new RegExp(`skillpair resume \\S*${run}`));
    expect(attemptsOf(await rig.record(run)).map(reasonOf)).toEqual(['passed']);
    expect(reports(run)).toEqual([true, true]);
    expect(await leftOf(run)).toEqual([]);

    const resumed = await rig.run(['resume', run, '--concurrency', '2']);
    expect(resumed.code).toBe(0);
    const records = attemptsOf(await rig.record(run));
    expect(records.map((record) => [record.attempt, reasonOf(record)])).toEqual([
      [1, 'passed'],
      [1, 'passed'],
    ]);
    expect(await leftOf(run)).toEqual([]);
  });

  it('by SIGTERM: drains alike and ends with 143', async () => {
    const run = rig.runId();
    const running = begin('slow', run);
    await agentRuns(run);
    running.kill('SIGTERM');
    const { code } = await running.done;
    expect([code, attemptsOf(await rig.record(run)).map(reasonOf)]).toEqual([143, ['passed']]);
    expect(reports(run)).toEqual([true, true]);
    expect(await leftOf(run)).toEqual([]);
  });

  it('twice: cancels what runs, soon, and leaves nothing', async () => {
    const run = rig.runId();
    const running = begin('endless', run);
    await agentRuns(run);
    running.kill('SIGINT');
    await running.saw(/interrupted: no new trial/);
    // Repeats within a second are one press.
    const pressing = setInterval(() => running.kill('SIGINT'), 200);
    await running.saw(/stopping now/).finally(() => clearInterval(pressing));
    const from = performance.now();
    const { code, stdout, stderr } = await running.done;
    expect(performance.now() - from).toBeLessThan(30_000);
    expect(code).toBe(130);
    const reasons = attemptsOf(await rig.record(run)).map(reasonOf);
    expect(new Set(reasons)).toEqual(new Set(['cancelled']));
    expect(stdout + stderr).toMatch(new RegExp(`skillpair resume \\S*${run}`));
    expect(stderr).not.toContain('fault of skillpair');
    expect(reports(run)).toEqual([true, true]);
    expect(await leftOf(run)).toEqual([]);
  });

  it('by kill -9: the next run removes what it left, resume runs what had no verdict and nothing else', async () => {
    const run = rig.runId();
    const running = begin('slow', run);
    await running.saw(/passed/);
    await agentRuns(run);
    running.kill('SIGKILL');
    await running.done;
    const before = attemptsOf(await rig.record(run));
    expect(before.map(reasonOf)).toEqual(['passed']);

    // Its agent's container was there when it died. Whichever run begins next on the engine sweeps, ours or a neighbour's; so only that
    // it is gone is looked at.
    const resumed = await rig.run(['resume', run]);
    expect(resumed.code).toBe(0);
    const after = attemptsOf(await rig.record(run));
    expect(after.map(reasonOf)).toEqual(['passed', 'passed']);
    for (const record of before) expect(after).toContainEqual(record);
    expect(await leftOf(run)).toEqual([]);
  });

  it('while it runs, a second run of its name is refused, and a second runner with the process that holds it', async () => {
    const run = rig.runId();
    const running = begin('endless', run);
    await agentRuns(run);
    const [again, resumed] = await Promise.all([
      rig.run(['run', 'experiments/endless.yaml', '--run-id', run]),
      rig.run(['resume', run]),
    ]);
    expect([again.code, resumed.code]).toEqual([2, 2]);
    expect(again.stderr).toContain(`run ${run} exists already`);
    expect(resumed.stderr).toContain(`in the hands of process ${running.process.pid}`);
    expect((await agentRuns(run)).length).toBeGreaterThan(0);
    running.kill('SIGINT');
    await running.saw(/interrupted/);
    const pressing = setInterval(() => running.kill('SIGINT'), 200);
    await running.done.finally(() => clearInterval(pressing));
    expect(await leftOf(run)).toEqual([]);
  });

  it('is not resumed when a task, a Skill, the seed or a harness has changed, which is named; concurrency may change', async () => {
    const run = rig.runId();
    const drift = await rig.addExperiment(
      'drift',
      'configurations: [{ harness: quick }]\nconditions: [with-skills]\n',
    );
    const ran = await rig.run(['run', drift, '--run-id', run]);
    expect(ran.code).toBe(0);
    const changes: readonly [path: string, named: string, change: (text: string) => string][] = [
      ['tasks/rt-answer/instruction.md', 'rt-answer', (text) => `${text}!`],
      ['skills/alpha/SKILL.md', 'alpha', (text) => `${text}!`],
      ['experiments/drift.yaml', 'seed', (text) => `${text}seed: 9\n`],
      ['harnesses/quick/harness.yaml', 'quick', (text) => text.replace('1.0.0', '1.0.1')],
    ];
    for (const [path, named, change] of changes) {
      const text = await readFile(join(rig.dir, path), 'utf8');
      await rig.write({ [path]: change(text) });
      const { code, stderr } = await rig.run(['resume', run]);
      await rig.write({ [path]: text });
      expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
    }
    expect((await rig.run(['resume', run, '--concurrency', '7'])).code).toBe(0);
    expect(attemptsOf(await rig.record(run))).toHaveLength(1);
  });

  it('beside another run of the same task on the same engine: the end of the one does not touch the other', async () => {
    const [first, second] = [rig.runId(), rig.runId()];
    const one = begin('endless', first);
    const two = begin('slow', second, '--concurrency', '2');
    await Promise.all([agentRuns(first), agentRuns(second)]);
    one.kill('SIGKILL');
    await one.done;
    const { code } = await two.done;
    expect(code).toBe(0);
    expect(attemptsOf(await rig.record(second)).map(reasonOf)).toEqual(['passed', 'passed']);
    const cleaned = await rig.run(['clean', '--json']);
    expect(cleaned.code).toBe(0);
    expect(await leftOf(first)).toEqual([]);
  });
});
