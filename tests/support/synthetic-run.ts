import { digestBytes } from '../../src/base/digest.ts';
import { type Random, seededRandom } from '../../src/base/random.ts';
import type { AttemptRecord } from '../../src/model/attempt.ts';
import { Experiment } from '../../src/model/experiment.ts';
import { type ConfigurationName, RunId, type TaskId } from '../../src/model/ids.ts';
import type { Outcome, UnscoredReason } from '../../src/model/outcome.ts';
import type { RunLock } from '../../src/model/run-lock.ts';
import type { RunRecord, TrialRecord } from '../../src/model/run-record.ts';
import { DOMAINS } from '../../src/model/task.ts';
import type { Trial } from '../../src/model/trial.ts';

const CONDITIONS = ['no-skills', 'with-skills'] as const;
type Condition = (typeof CONDITIONS)[number];
const DIGEST = digestBytes('synthetic');
const STARTED = Date.parse('2026-11-29T21:00:00Z');

/** A trial as planned, for whoever decides what it came to. */
export interface Planned {
  readonly task: string;
  readonly condition: Condition;
  readonly configuration: string;
  readonly index: number;
}

/** What a synthetic run consists of. */
export interface SyntheticPlan {
  readonly tasks: readonly string[];
  /** Name of a configuration; its harness is the part before `@`. */
  readonly configurations?: readonly string[];
  readonly conditions?: readonly Condition[];
  /** Trials per task, condition and configuration. */
  readonly trials?: number;
  readonly seed?: number;
  readonly gates?: RunLock['gates'];
  readonly endedBy?: RunRecord['endedBy'];
}

/** What one trial came to; `attempts` are the reasons of unscored attempts that came before the counted one. */
export interface SyntheticResult {
  readonly outcome: Outcome;
  readonly attempts?: readonly UnscoredReason[];
  readonly ending?: 'completed' | 'timed-out' | 'crashed';
  readonly startedAt?: string;
  readonly durationMs?: number;
  readonly skillUse?: AttemptRecord['skillUse'];
  readonly attestation?: AttemptRecord['attestation'];
  readonly notices?: AttemptRecord['notices'];
  /** Of the counted attempt. */
  readonly modelUse?: AttemptRecord['modelUse'] | undefined;
  /** Of the attempts before it, each. */
  readonly earlierModelUse?: AttemptRecord['modelUse'] | undefined;
}

/** A verdict of all checks passed (reward 1), or with the named failing ones (reward 0). */
export function verdict(
  passed: boolean,
  failing: readonly { name: string; message?: string }[] = [],
): Outcome {
  const ok = { name: 'test_outputs.py::test_file_is_there', status: 'passed' as const };
  const bad = failing.map((test) => ({ ...test, status: 'failed' as const }));
  return { kind: 'scored', verdict: { passed, reward: passed ? 1 : 0, tests: [ok, ...bad] } };
}

/** A reward between 0 and 1 without checks. */
export function reward(value: number): Outcome {
  return { kind: 'scored', verdict: { passed: value === 1, reward: value, tests: [] } };
}

/** An outcome without a verdict. */
export function unscored(reason: UnscoredReason, detail = 'synthetic fault'): Outcome {
  return { kind: 'unscored', reason, phase: reason === 'verifier-error' ? 'verify' : 'start', detail };
}

/** Builds a run in memory, in plan order (arms of a pair together); `decide` tells what each trial came to. */
export function runOf(plan: SyntheticPlan, decide: (trial: Planned) => SyntheticResult): RunRecord {
  const run = RunId.parse('synthetic-1');
  const trials = plannedTrials(plan).map((planned, position) =>
    trialRecord(run, planned, { position, ...decide(planned) }),
  );
  return {
    lock: lockOf(
      plan,
      run,
      trials.map((record) => record.trial),
    ),
    trials,
    notices: [],
    endedBy: plan.endedBy ?? 'done',
  };
}

/**
 * A seeded run of about `size` trials over 18 configurations and 3 trials per task and arm, shaped like a night of the
 * public benchmark: tasks differ in difficulty, Skills help most and hurt some, 2 % stay unscored. Equal seeds give equal runs.
 */
export function syntheticRun(size: number, seed = 1): RunRecord {
  const configurations = Array.from({ length: 18 }, (_, index) => `harness-${index}@model-${index % 6}.5`);
  const taskCount = Math.max(1, Math.round(size / (configurations.length * 6)));
  const tasks = Array.from({ length: taskCount }, (_, index) => `task-${String(index).padStart(4, '0')}`);
  const random = seededRandom(seed);
  const ease = new Map(tasks.map((task) => [task, random()]));
  return runOf({ tasks, configurations, trials: 3, seed }, (trial) =>
    randomResult(trial, ease.get(trial.task) ?? 0.5, random),
  );
}

function randomResult(trial: Planned, ease: number, random: Random): SyntheticResult {
  const durationMs = Math.round(20_000 + random() * 300_000);
  if (random() < 0.02) return { outcome: unscored('runtime-lost'), durationMs, attempts: ['runtime-lost'] };
  const help = trial.condition === 'with-skills' ? 0.25 - (ease > 0.9 ? 0.4 : 0) : 0;
  const isPassed = random() < ease * 0.8 + help;
  const failing = [
    {
      name: 'test_outputs.py::test_totals',
      message: `AssertionError: ${Math.round(random() * 1000)} != 1000`,
    },
  ];
  return {
    outcome: verdict(isPassed, isPassed ? [] : failing),
    durationMs,
    ending: random() < 0.05 ? 'timed-out' : 'completed',
  };
}

function plannedTrials(plan: SyntheticPlan): Planned[] {
  const indexes = Array.from({ length: plan.trials ?? 1 }, (_, position) => position + 1);
  return (plan.configurations ?? ['literal']).flatMap((configuration) =>
    plan.tasks.flatMap((task) =>
      indexes.flatMap((index) =>
        (plan.conditions ?? CONDITIONS).map((condition) => ({ task, condition, configuration, index })),
      ),
    ),
  );
}

function trialRecord(
  run: RunId,
  planned: Planned,
  result: SyntheticResult & { position: number },
): TrialRecord {
  const parts = {
    ...planned,
    task: planned.task as TaskId,
    configuration: planned.configuration as ConfigurationName,
  };
  const id = `${planned.task}/${planned.condition}/${planned.index}/${planned.configuration}` as Trial['id'];
  const trial: Trial = { ...parts, id };
  if (result.outcome.kind === 'unscored' && result.outcome.reason === 'not-run') {
    return { trial, attempts: [], counted: undefined, outcome: result.outcome };
  }
  const earlier = (result.attempts ?? []).map((reason, index) =>
    attemptRecord({
      run,
      trial,
      attempt: index + 1,
      result: { ...result, outcome: unscored(reason), modelUse: result.earlierModelUse },
    }),
  );
  const counted = attemptRecord({ run, trial, attempt: earlier.length + 1, result });
  return { trial, attempts: [...earlier, counted], counted, outcome: result.outcome };
}

interface AttemptParts {
  readonly run: RunId;
  readonly trial: Trial;
  readonly attempt: number;
  readonly result: SyntheticResult & { position: number };
}

function attemptRecord({ run, trial, attempt, result }: AttemptParts): AttemptRecord {
  const durationMs = result.durationMs ?? 61_200;
  const start = Date.parse(result.startedAt ?? new Date(STARTED + result.position * 1000).toISOString());
  return {
    schemaVersion: 1,
    run,
    trial,
    attempt,
    startedAt: new Date(start).toISOString(),
    endedAt: new Date(start + durationMs).toISOString(),
    durationMs,
    phases: [
      { phase: 'start', durationMs: 200 },
      { phase: 'agent', durationMs: Math.max(0, durationMs - 200) },
    ],
    outcome: result.outcome,
    agent: {
      ending: result.ending ?? 'completed',
      exitCode: result.ending === 'crashed' ? 1 : 0,
      durationMs: Math.max(0, durationMs - 200),
      stdoutBytes: 1000,
      stderrBytes: 0,
    },
    images: { task: DIGEST },
    digests: { task: DIGEST, instruction: DIGEST, bundle: DIGEST, harness: DIGEST },
    attestation: result.attestation ?? {},
    skillUse: result.skillUse ?? [],
    ...(result.modelUse === undefined ? {} : { modelUse: result.modelUse }),
    notices: result.notices ?? [],
    evidence: ['agent/stdout.log', 'verifier/report.json'],
  };
}

function lockOf(plan: SyntheticPlan, run: RunId, trials: readonly Trial[]): RunLock {
  const configurations = (plan.configurations ?? ['literal']).map((name) => {
    const [harness = name, model] = name.split('@');
    return { name: name as ConfigurationName, harness, ...(model === undefined ? {} : { model }), env: {} };
  });
  const seed = plan.seed ?? 7;
  return {
    schemaVersion: 1,
    run,
    createdAt: '2026-11-29T20:59:00.000Z',
    skillpair: '0.1.0',
    experimentPath: 'experiments/synthetic.yaml',
    experiment: Experiment.parse({
      schemaVersion: 1,
      name: 'synthetic',
      configurations: configurations.map(({ name, harness }) => ({ name, harness })),
      conditions: [...(plan.conditions ?? CONDITIONS)],
      trials: plan.trials ?? 1,
      seed,
    }),
    plan: { schemaVersion: 1, experiment: 'synthetic', seed, trials: [...trials] },
    part: [],
    tasks: plan.tasks.map((id, index) => ({
      id: id as TaskId,
      digest: DIGEST,
      skills: [{ name: 'alpha', digest: DIGEST }],
      metadata: {
        title: `Task ${id}`,
        domain: DOMAINS[index % DOMAINS.length] as string,
        capability: 'synthesis',
        difficulty: 'core',
        tags: [],
      },
      file: `tasks/${id}/task.yaml`,
    })),
    configurations,
    harnesses: configurations.map(({ harness }) => ({ id: harness, version: '1.0.0', digest: DIGEST })),
    verifiersDigest: DIGEST,
    gates: plan.gates ?? {},
    baseImages: { 'debian:12': { image: DIGEST, substituted: true } },
    engine: { version: '20.10.0', apiVersion: '1.41', platform: 'linux/amd64', storageDriver: 'overlay2' },
    host: { name: 'w1', cpus: 2, memoryBytes: 4_294_967_296 },
  };
}
