import { digestBytes } from '../../src/base/digest.ts';
import { AttemptRecord } from '../../src/model/attempt.ts';
import { Experiment } from '../../src/model/experiment.ts';
import { ConfigurationName, RunId, TaskId } from '../../src/model/ids.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { RunLock } from '../../src/model/run-lock.ts';
import { type Trial, trialId } from '../../src/model/trial.ts';

/** A trial by its parts. */
export function aTrial(
  task: string,
  condition: Trial['condition'],
  index = 1,
  configuration = 'literal',
): Trial {
  const parts = {
    task: TaskId.parse(task),
    condition,
    index,
    configuration: ConfigurationName.parse(configuration),
  };
  return { id: trialId(parts), ...parts };
}

/** Both arms of every task and index, pair by pair. */
export function trialsOf(tasks: readonly string[], perArm = 1, configurations = ['literal']): Trial[] {
  return configurations.flatMap((configuration) =>
    tasks.flatMap((task) =>
      Array.from({ length: perArm }, (_, place) => [
        aTrial(task, 'no-skills', place + 1, configuration),
        aTrial(task, 'with-skills', place + 1, configuration),
      ]).flat(),
    ),
  );
}

/** The outcome of a verifier that ran to its end. */
export function scored(passed: boolean): Outcome {
  const status = passed ? 'passed' : 'failed';
  const tests = Array.from({ length: 6 }, (_, place) => ({
    name: `test_outputs.py::test_${place}`,
    status: place === 0 ? (status as 'passed' | 'failed') : ('passed' as const),
    durationMs: 12.5,
  }));
  return { kind: 'scored', verdict: { passed, reward: passed ? 1 : 0, tests } };
}

/** No verdict, for a reason. */
export function unscored(reason: Extract<Outcome, { kind: 'unscored' }>['reason']): Outcome {
  return { kind: 'unscored', reason, phase: 'start', detail: `made up: ${reason}` };
}

const EMPTY = digestBytes('');

/** A whole record with the outcome; times are fixed so that equal goes give equal bytes. */
export function anAttempt(trial: Trial, attempt: number, outcome: Outcome, run = 'test-run'): AttemptRecord {
  const attestation = { found: EMPTY, expected: EMPTY, skillFiles: [], violations: [] };
  return AttemptRecord.parse({
    schemaVersion: 1,
    run,
    trial,
    attempt,
    startedAt: '2026-03-01T10:00:00.000Z',
    endedAt: '2026-03-01T10:01:00.000Z',
    durationMs: 60_000,
    phases: [
      { phase: 'build', durationMs: 1 },
      { phase: 'start', durationMs: 120 },
      { phase: 'inject', durationMs: 20 },
      { phase: 'check', durationMs: 30 },
      { phase: 'agent', durationMs: 50_000 },
      { phase: 'verify', durationMs: 8000 },
      { phase: 'collect', durationMs: 500 },
    ],
    outcome,
    agent: { ending: 'completed', exitCode: 0, durationMs: 50_000, stdoutBytes: 1000, stderrBytes: 0 },
    limits: {
      cpus: { wished: 1, granted: 1 },
      memoryBytes: { wished: 2 ** 30, granted: 2 ** 30 },
      pids: { wished: 512, granted: 512 },
      agentTimeoutMs: 600_000,
      verifierTimeoutMs: 300_000,
    },
    images: { task: digestBytes(trial.task), verifier: digestBytes(trial.task) },
    digests: { task: digestBytes(trial.task), instruction: EMPTY, bundle: EMPTY, harness: EMPTY },
    attestation: { before: attestation, after: attestation },
    skillUse: [],
    notices: [],
    evidence: ['agent/stdout.txt', 'agent/stderr.txt', 'verifier/report.json'],
  });
}

/** A lock over the trials, for one run of the literal harness. */
export function aLock(trials: readonly Trial[], run = 'test-run'): RunLock {
  const tasks = [...new Set(trials.map((trial) => trial.task))];
  const configurations = [...new Set(trials.map((trial) => trial.configuration))];
  const experiment = Experiment.parse({
    schemaVersion: 1,
    name: 'test',
    configurations: configurations.map((name) => ({ name, harness: 'literal', model: 'model-a' })),
  });
  return RunLock.parse({
    schemaVersion: 1,
    run: RunId.parse(run),
    createdAt: '2026-03-01T09:59:00.000Z',
    skillpair: '0.1.0',
    experimentPath: 'experiments/test.yaml',
    experiment,
    plan: { schemaVersion: 1, experiment: 'test', seed: 0, trials },
    tasks: tasks.map((id) => ({
      id,
      digest: digestBytes(id),
      skills: [{ name: `skill-${id}`, digest: digestBytes(`skill ${id}`) }],
      metadata: { title: id, domain: 'natural-science', capability: 'x', difficulty: 'core', tags: ['csv'] },
      file: `tasks/${id}/task.yaml`,
    })),
    configurations: configurations.map((name) => ({ name, harness: 'literal', model: 'model-a', env: {} })),
    harnesses: [{ id: 'literal', version: '1.0.0', digest: EMPTY }],
    verifiersDigest: EMPTY,
    gates: {},
    baseImages: { 'skillpair/base:1': { image: EMPTY, substituted: false } },
    engine: { version: '20.10.24', apiVersion: '1.41', platform: 'linux/amd64', storageDriver: 'overlay2' },
    host: { name: 'lab', cpus: 2, memoryBytes: 2 ** 33 },
  });
}
