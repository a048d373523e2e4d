import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AttemptRecord } from '../../src/model/attempt.ts';
import type { RunRecord } from '../../src/model/run-record.ts';
import { readRun } from '../../src/record/read-run.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'scripts/skillpair.mjs');
/** For tests that must not find an engine, whatever the machine has. */
export const NO_ENGINE = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };

/** How the command line ended. */
export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that is still running. */
export interface Running {
  readonly process: ChildProcess;
  readonly done: Promise<Ran>;
  /** Resolves when standard error so far matches; rejects when the command ends first. */
  saw(pattern: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** What differs from a usual task. */
export interface RigTask {
  readonly dockerfile?: string;
  readonly instruction?: string;
  readonly solution?: string;
  /** `test_answer.py`, or with `script` the verifier's `test.sh`. */
  readonly tests?: string;
  readonly script?: string;
  /** Lines of task.yaml in place of `verifier:`, `agent:` and `skills:`. */
  readonly yaml?: string;
  readonly skills?: readonly string[];
  /** More files, by path below the task's folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A temporary project and the real command line in it. */
export interface Rig extends AsyncDisposable {
  /** The working directory of the command line. */
  readonly dir: string;
  /** Path -> text, below the project. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  addTask(id: string, task?: RigTask): Promise<void>;
  addSkill(name: string, body?: string): Promise<void>;
  /** A harness of one bash command, without bundle or trajectory. */
  addHarness(id: string, script: string): Promise<void>;
  /** `experiments/<name>.yaml` with the given lines beside `name`. */
  addExperiment(name: string, lines: string): Promise<string>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Ids of the runs there are; empty also when there is no folder of runs. */
  runs(): Promise<readonly string[]>;
  record(run: string): Promise<RunRecord>;
  /** Text of a file below the project. */
  read(path: string): Promise<string>;
  exists(path: string): boolean;
}

const PASSING_TEST = `from pathlib import Path


def test_answer():
    assert Path("/workspace/out/answer.txt").read_text().strip() == "42"
`;

/** Makes a project with the product's own harnesses and verifiers, no task and no experiment. */
export async function makeRig(): Promise<Rig> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'skillpair-rig-')));
  await mkdir(join(dir, 'tasks'));
  await mkdir(join(dir, 'skills'));
  await cp(join(ROOT, 'harnesses'), join(dir, 'harnesses'), { recursive: true });
  const living = new Set<ChildProcess>();
  const write = (files: Readonly<Record<string, string>>) => writeAll(dir, files);
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const running = startCli(dir, args, env);
    living.add(running.process);
    return running;
  };
  return {
    dir,
    write,
    start,
    addTask: (id, task = {}) => write(taskFiles(id, task)),
    addSkill: (name, body = 'Write 42 to the output.\n') =>
      write({ [`skills/${name}/SKILL.md`]: skillText(name, body) }),
    addHarness: (id, script) => write({ [`harnesses/${id}/harness.yaml`]: harnessText(id, script) }),
    addExperiment: async (name, lines) => {
      const path = `experiments/${name}.yaml`;
      const verifiers = JSON.stringify(join(ROOT, 'verifiers'));
      await write({ [path]: `schemaVersion: 1\nname: ${name}\nverifiers: ${verifiers}\n${lines}` });
      return path;
    },
    run: (args, env) => start(args, env).done,
    runs: () => readdir(join(dir, 'runs')).catch(() => []),
    record: (run) => readRun(join(dir, 'runs', run)),
    read: (path) => readFile(join(dir, path), 'utf8'),
    exists: (path) => existsSync(join(dir, path)),
    [Symbol.asyncDispose]: async () => {
      for (const child of living)
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Removes the folder of a run, if there is one. */
export async function removeRun(rig: Rig, run: string): Promise<void> {
  await rm(join(rig.dir, 'runs', run), { recursive: true, force: true });
}

/** A SKILL.md that loads without a word. */
export function skillText(name: string, body: string): string {
  return `---\nname: ${name}\ndescription: Says how the answer is found.\n---\n${body}`;
}

/** The attempts of a run, in plan order. */
export function attemptsOf(record: RunRecord): readonly AttemptRecord[] {
  return record.trials.flatMap(({ attempts }) => attempts);
}

async function writeAll(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

function taskFiles(id: string, task: RigTask): Record<string, string> {
  const { skills = ['alpha'], script } = task;
  const verifier =
    script === undefined
      ? 'verifier: { outputs: [/workspace/out] }\n'
      : 'verifier: { kind: script, isolation: snapshot }\n';
  const head = `schemaVersion: 1\ntitle: Answer\ndomain: natural-science\ncapability: answering\ndifficulty: core\n`;
  const yaml = task.yaml ?? `skills: [${skills.join(', ')}]\nenvironment: { memory: 256MiB }\n${verifier}`;
  const files = {
    'task.yaml': head + yaml,
    'instruction.md':
      task.instruction ??
      'Find the answer.\n- Input: `/etc/hostname`\n- Output: `/workspace/out/answer.txt`\n',
    'environment/Dockerfile': task.dockerfile ?? 'FROM skillpair/base:1\n',
    'solution/solve.sh': task.solution ?? 'mkdir -p /workspace/out\necho 42 > /workspace/out/answer.txt\n',
    ...(script === undefined
      ? { 'tests/test_answer.py': task.tests ?? PASSING_TEST }
      : { 'tests/test.sh': script }),
    ...task.files,
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`tasks/${id}/${path}`, text]));
}

function harnessText(id: string, script: string): string {
  return `schemaVersion: 1
id: ${id}
version: 1.0.0
title: ${id}
command: [bash, -c, ${JSON.stringify(script)}]
discovery: { home: [.agents/skills], project: [], system: [] }
bundle: false
trajectory: none
`;
}

function startCli(dir: string, args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(CLI, args, {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      for (const look of watchers) look();
    });
  }
  const done = once(child, 'close').then(([code, signal]) => ({ ...text, code, signal }) as Ran);
  const saw = async (pattern: RegExp) => {
    const { promise, resolve } = Promise.withResolvers<true>();
    const look = () => {
      if (pattern.test(text.stderr)) resolve(true);
    };
    watchers.add(look);
    look();
    const seen = await Promise.race([promise, done]);
    watchers.delete(look);
    if (seen !== true)
      throw new Error(`the command ended before it said ${pattern}:\n${seen.stderr}${seen.stdout}`);
  };
  return { process: child, done, saw, kill: (signal) => child.kill(signal) };
}
