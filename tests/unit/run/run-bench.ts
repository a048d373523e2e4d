import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { trajectoryReader } from '../../../src/harness/registry.ts';
import { makeImageStore } from '../../../src/image/image-store.ts';
import { loadProject } from '../../../src/load/project.ts';
import { AttemptRecord } from '../../../src/model/attempt.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import { RunId } from '../../../src/model/ids.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { Project } from '../../../src/model/project.ts';
import type { Trial } from '../../../src/model/trial.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import { makePlan } from '../../../src/plan/plan.ts';
import { EngineGate } from '../../../src/run/engine-gate.ts';
import { type RunJob, type RunResult, runExperiment } from '../../../src/run/run-experiment.ts';
import type { TrialServices } from '../../../src/run/trial-context.ts';
import { readPytestVerdict } from '../../../src/verifier/pytest-report.ts';
import { readScriptVerdict } from '../../../src/verifier/script-report.ts';
import type { FakeExit, FakeProgram } from '../../fakes/fake-container.ts';
import { type FakeEngine, type FakeEngineInput, makeFakeEngine } from '../../fakes/fake-engine.ts';
import type { FilesInput } from '../../fakes/fake-files.ts';
import { type Files, scratchFolder } from '../load/support/scratch-project.ts';

/** The skill of every task here; its text is what attestation must find, byte for byte. */
export const SKILL_TEXT = '---\nname: alpha\ndescription: Says how the answer is found.\n---\nWrite 42.\n';
export const INSTRUCTION = 'Write the answer to /workspace/out/answer.txt.\n';
export const RUN = 'bench-run';
/** Folders of the bundle in the with-skills container of the `agent` harness. */
export const SKILL_FOLDERS = ['/home/agent/.agents/skills', '/workspace/.agents/skills'];

const BASE_IMAGE: FilesInput = {
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/bash\nagent:x:1000:1000::/home/agent:/bin/bash\n',
  '/home/agent/': '',
  '/usr/bin/python3': 'python',
};

function harness(id: string, lines: string): Files {
  return {
    [`harnesses/${id}/harness.yaml`]: `schemaVersion: 1\nid: ${id}\nversion: 1.0.0\ntitle: ${id}\nbundle: false\n${lines}`,
  };
}

/** `task.yaml` with a script verifier over declared outputs; `more` replaces the verifier's lines. */
export function taskYaml(more = 'isolation: outputs, outputs: [/workspace/out]', rest = ''): string {
  return `schemaVersion: 1
title: Answer
domain: natural-science
capability: answering
difficulty: core
skills: [alpha]
agent: { timeout: 60s }
verifier: { kind: script, timeout: 30s, ${more} }
${rest}`;
}

export const SNAPSHOT = 'isolation: snapshot';

const PROJECT: Files = {
  'tasks/demo/task.yaml': taskYaml(),
  'tasks/demo/instruction.md': INSTRUCTION,
  'tasks/demo/environment/Dockerfile': 'FROM skillpair/base:1\nCOPY data.csv /workspace/data.csv\n',
  'tasks/demo/environment/data.csv': '1,2\n',
  'tasks/demo/solution/solve.sh': 'echo 42\n',
  'tasks/demo/tests/test.sh': 'check the answer\n',
  'tasks/demo/tests/expected/answer.txt': '42\n',
  'skills/alpha/SKILL.md': SKILL_TEXT,
  'skills/alpha/references/how.md': 'By thinking.\n',
  'harnesses/discovery.yaml':
    'schemaVersion: 1\nhome: [.agents/skills, .claude/skills]\nproject: [.agents/skills]\nsystem: [/etc/codex/skills]\n',
  'verifiers/Dockerfile': 'FROM skillpair/base:1\nCOPY run-pytest.sh /opt/skillpair/verifier/run-pytest.sh\n',
  'verifiers/run-pytest.sh': 'run\n',
  ...harness(
    'agent',
    'command: [agent, "{instruction}"]\ndiscovery: { home: [.agents/skills], project: [.agents/skills], system: [] }\ntrajectory: literal\n',
  ),
  ...harness(
    'oracle',
    'special: oracle\ncommand: [bash, /solution/solve.sh]\ndiscovery: { home: [.agents/skills], project: [], system: [] }\ntrajectory: none\n',
  ),
  ...harness(
    'nop',
    'special: nop\ncommand: [nop]\ndiscovery: { home: [.agents/skills], project: [], system: [] }\ntrajectory: none\n',
  ),
};

/** What the `agent` harness says on its standard output. */
export function talk(...events: readonly Record<string, unknown>[]): string {
  const all = [{ kind: 'start', version: '1.0.0' }, ...events, { kind: 'end', ok: true }];
  return all.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** An agent that writes the answer and ends well. */
export const GOOD_AGENT: FakeExit = { stdout: talk(), changedFiles: { '/workspace/out/answer.txt': '42\n' } };

/** A verifier that passes when the outputs hold what its own tests hold. */
export const VERIFIER: FakeProgram = (files) => {
  const answer = files.get('/workspace/out/answer.txt')?.content;
  const expected = files.get('/tests/expected/answer.txt')?.content;
  const passed = answer !== undefined && expected !== undefined && answer.equals(expected);
  return { stdout: 'verified\n', changedFiles: { '/logs/verifier/reward.txt': passed ? '1' : '0' } };
};

/** What a bench starts with; everything has a default. */
export interface BenchInput {
  readonly files?: Files;
  /** Lines of the experiment file beside name and harnesses. */
  readonly experiment?: string;
  readonly programs?: FakeEngineInput['programs'];
  readonly base?: FilesInput;
  readonly baseImage?: Partial<NonNullable<FakeEngineInput['images']>[string]>;
}

/** How one run on a bench goes. */
export interface BenchRun {
  readonly trials?: (trial: Trial) => boolean;
  readonly drain?: AbortSignal;
  readonly stop?: AbortController;
  readonly patienceMs?: number;
  readonly commit?: (record: AttemptRecord) => Promise<void>;
  readonly isSettled?: RunJob['isSettled'];
  readonly services?: Partial<TrialServices>;
  readonly onEvent?: (event: RunEvent) => void;
}

/** A loaded project on a fake engine, ready to run. */
export interface Bench extends AsyncDisposable {
  readonly engine: FakeEngine;
  readonly project: Project;
  readonly dir: string;
  readonly records: AttemptRecord[];
  readonly events: RunEvent[];
  run(how?: BenchRun): Promise<RunResult>;
  /** Runs one arm of the first pair and returns its only record. */
  runArm(condition: Trial['condition'], how?: BenchRun): Promise<AttemptRecord>;
}

/** Makes a bench: real files, real loader and image store, an engine in memory. */
export async function runBench(input: BenchInput = {}): Promise<Bench> {
  const experiment = input.experiment ?? 'configurations: [{ harness: agent }]\nattempts: { max: 1 }\n';
  const folder = await scratchFolder({
    ...PROJECT,
    'experiments/bench.yaml': `schemaVersion: 1\nname: bench\n${experiment}`,
    ...input.files,
  });
  const loaded = await loadProject({
    experimentPath: join(folder.dir, 'experiments/bench.yaml'),
    root: folder.dir,
    machine: { substitute: {}, trustCa: 'none', buildTimeFactor: 1 },
  });
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'));
  const engine = makeFakeEngine({
    images: {
      'skillpair/base:1': {
        workingDir: '/workspace',
        ...input.baseImage,
        files: { ...BASE_IMAGE, ...input.base },
      },
    },
    programs: { agent: GOOD_AGENT, 'bash /tests/test.sh': VERIFIER, ...input.programs },
  });
  const records: AttemptRecord[] = [];
  const events: RunEvent[] = [];
  const run = (how: BenchRun = {}) =>
    runExperiment(makeJob({ engine, project: loaded.value, dir: folder.dir, records, events }, how));
  return {
    engine,
    project: loaded.value,
    dir: folder.dir,
    records,
    events,
    run,
    runArm: async (condition, how = {}) => {
      await run({ trials: (trial) => trial.condition === condition, ...how });
      const [record] = records;
      if (record === undefined) throw new Error('the run recorded nothing');
      return record;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function makeJob(
  { engine, project, dir, records, events }: Pick<Bench, 'engine' | 'project' | 'dir' | 'records' | 'events'>,
  how: BenchRun,
): RunJob {
  const stop = how.stop ?? new AbortController();
  const emit = (event: RunEvent) => {
    events.push(event);
    how.onEvent?.(event);
  };
  const now = () => new Date('2026-03-01T10:00:00.000Z');
  const planned = makePlan(project, { selection: {}, shard: undefined });
  if (!planned.ok) throw new Error(planned.error.map(({ message }) => message).join('\n'));
  const images = makeImageStore({
    engine,
    project,
    projectRoot: dir,
    cacheDir: join(dir, 'cache'),
    proxyEnv: {},
    certificates: { caDir: '/nowhere' },
    emit,
    now,
    runSignal: stop.signal,
  });
  return {
    project,
    services: {
      engine,
      host: {
        address: 'fake://engine',
        version: '0',
        apiVersion: '1.41',
        platform: 'linux/amd64',
        storageDriver: 'memory',
        cpus: 8,
        memoryBytes: 16 * 2 ** 30,
        rootDir: '/nowhere',
      },
      images,
      freeSpace: async () => undefined,
      readerFor: trajectoryReader,
      readVerdict: { pytest: readPytestVerdict, script: readScriptVerdict },
      discovery: project.discovery,
      run: RunId.parse(RUN),
      owner: { pid: 4242, host: hostname() },
      ...how.services,
    },
    trials: planned.value.plan.trials
      .filter(how.trials ?? (() => true))
      .map((trial) => ({ trial, attempt: 1, attemptsLeft: project.experiment.attempts.max })),
    concurrency: project.experiment.concurrency,
    policy: project.experiment.attempts,
    ...(how.isSettled && { isSettled: how.isSettled }),
    gate: new EngineGate({
      engine,
      patienceMs: how.patienceMs ?? 60_000,
      say: (message) => emit({ kind: 'notice', at: now().toISOString(), message }),
    }),
    beginAttempt: async (trial, attempt) => {
      const attemptDir = join(dir, 'evidence', trial.id, String(attempt));
      await mkdir(attemptDir, { recursive: true });
      return {
        dir: attemptDir,
        commit: async (record) => {
          await how.commit?.(record);
          records.push(AttemptRecord.parse(record));
        },
      };
    },
    emit,
    now,
    drain: how.drain ?? new AbortController().signal,
    stop,
  };
}

/** Everything on the engine that a trial of the run made and that is still there. */
export async function leftOf({ engine }: Pick<Bench, 'engine'>): Promise<readonly string[]> {
  const owned = await engine.owned({ 'skillpair.run': RUN }, new AbortController().signal);
  return [...engine.leftovers(), ...owned.map(({ name }) => name)];
}

/** The reason of an unscored outcome; `passed` or `failed` of a scored one. */
export function said(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'nothing';
  if (outcome.kind === 'unscored') return outcome.reason;
  return outcome.verdict.passed ? 'passed' : 'failed';
}

/** A verdict for tests that do not look at one. */
export const ANY_VERDICT: Verdict = { passed: true, reward: 1, tests: [] };
