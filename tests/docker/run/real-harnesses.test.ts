import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { leftOf } from './docker-rig.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HARNESSES = ['claude-code', 'codex', 'gemini-cli', 'openhands', 'qwen-code', 'opencode'] as const;
const TASKS = ['co2-annual-growth', 'flight-timetable-utc'] as const;
const RUN = `harnesses-${process.pid}`;

/** The real programs, unmodified, over two tasks in both arms, with the built-in script in the place of a model. */
describe('the six real harnesses, scripted', () => {
  let rig: Rig;
  let ran: Awaited<ReturnType<Rig['run']>>;
  let records: readonly AttemptRecord[];
  beforeAll(async () => {
    rig = await makeRig();
    ran = await rig.run(['run', join(ROOT, 'experiments/harnesses.yaml'), '--run-id', RUN]);
    records = attemptsOf(await rig.record(RUN));
  }, 900_000);
  afterAll(() => rig[Symbol.asyncDispose]());

  const attempt = (harness: string, task: string, condition: string): AttemptRecord => {
    const found = records.filter(
      ({ trial }) =>
        trial.configuration.startsWith(`${harness}@`) && trial.task === task && trial.condition === condition,
    );
    expect(found).toHaveLength(1);
    return found[0] as AttemptRecord;
  };
  const evidence = (record: AttemptRecord, path: string) =>
    readFile(join(rig.dir, 'runs', RUN, 'trials', record.trial.id, String(record.attempt), path), 'utf8');

  it('end well: every trial has a verdict at its first attempt, and nothing is left on the engine', async () => {
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(records).toHaveLength(HARNESSES.length * TASKS.length * 2);
    expect(await leftOf(RUN)).toEqual([]);
  });

  describe.each(HARNESSES)('%s', (harness) => {
    it.each(TASKS)('fails %s without its Skill, of which the model hears nothing', (task) => {
      const record = attempt(harness, task, 'no-skills');
      expect(record.outcome).toMatchObject({ kind: 'scored', verdict: { passed: false } });
      expect(record.attestation.before?.skillFiles).toEqual([]);
      expect(record.attestation.after?.skillFiles).toEqual([]);
      for (const { use, stages } of record.skillUse) {
        expect(use).toBe('not-used');
        expect(stages).toMatchObject({ staged: 'no', listed: 'no', opened: 'no', scriptRun: 'no' });
      }
    });

    it.each(TASKS)('passes %s with its Skill, which it lists and opens in its own way', (task) => {
      const record = attempt(harness, task, 'with-skills');
      expect(record.outcome).toMatchObject({ kind: 'scored', verdict: { passed: true } });
      expect(record.skillUse).toHaveLength(1);
      expect(record.skillUse[0]).toMatchObject({
        use: 'used',
        origin: 'task',
        stages: { staged: 'yes', listed: 'yes', opened: 'yes' },
      });
      expect(record.agent).toMatchObject({ ending: 'completed', exitCode: 0 });
    });

    it('keeps a trajectory with tool calls, and the gateway counts the same tokens', async () => {
      const record = attempt(harness, TASKS[0], 'with-skills');
      const trajectory = JSON.parse(await evidence(record, 'agent/trajectory.json')) as {
        steps: { kind: string }[];
      };
      expect(trajectory.steps.filter(({ kind }) => kind === 'tool-call').length).toBeGreaterThanOrEqual(1);
      expect(record.evidence).toContain('agent/trajectory.atif.json');
      expect(record.modelUse).toMatchObject({ mode: 'scripted', failedRequests: 0 });
      expect(record.modelUse?.usage.input).toBeGreaterThan(0);
      expect(record.notices.map(({ code }) => code)).not.toContain('tokens-disagree');
      const lines = (await evidence(record, 'agent/model-requests.jsonl')).trimEnd().split('\n');
      expect(lines).toHaveLength(record.modelUse?.requests ?? 0);
    });
  });

  it('give both arms of a pair the same prompt and the same image', () => {
    for (const harness of HARNESSES) {
      for (const task of TASKS) {
        const [without, withSkills] = ['no-skills', 'with-skills'].map((arm) => attempt(harness, task, arm));
        expect(without?.digests.instruction).toBe(withSkills?.digests.instruction);
        expect(without?.images.task).toBe(withSkills?.images.task);
      }
    }
  });
});
