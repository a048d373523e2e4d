import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { GateEvidence } from '../../lint/gate/gate-rule.ts';
import { judgeGate } from '../../lint/gate/gate-rules.ts';
import type { AttemptRecord } from '../../model/attempt.ts';
import type { Finding } from '../../model/finding.ts';
import type { Project } from '../../model/project.ts';
import type { Task } from '../../model/task.ts';
import { makeRunId } from '../../record/run-id.ts';
import { imageStore, reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import type { Interrupts } from '../interrupts.ts';
import { buildFindings } from './build-findings.ts';
import { openEvidence } from './evidence-folder.ts';
import { gateProgress } from './gate-progress.ts';
import { almostRightProject, gateProject, NOP, ORACLE } from './gate-project.ts';
import { almostRightTrials, gateTrials, isFirst } from './gate-trials.ts';
import { readLastWords } from './last-words.ts';
import { isUncollected, runTrials, type TrialBench } from './run-trials.ts';

/** How far a check goes that needs the engine. */
export type GateLevel = 'build' | 'gate' | 'repeat';

/** What is checked, and how. */
export interface GateCheck {
  readonly tasks: readonly Task[];
  /** Its images, certificates and folders hold for the tasks. */
  readonly base: Project;
  readonly level: GateLevel;
  /** Trials of the reference solution and of doing nothing at level `repeat`. */
  readonly repeats: number;
  /** Build images anew, also those that are there. */
  readonly rebuild: boolean;
  readonly concurrency: number;
  readonly interrupts: Interrupts;
}

/** What a check came to. */
export interface GateChecked {
  readonly findings: readonly Finding[];
  /** Host folder with the evidence of all trials; absent where none was run. */
  readonly dir: string | undefined;
  readonly leftBehind: readonly string[];
}

/**
 * Builds and audits images; from level `gate` on runs the reference solution in both arms, the almost-right one and an agent that does
 * nothing, and judges what came of it. Rejects with EngineError where no engine answers.
 */
export async function checkGate(environment: Environment, check: GateCheck): Promise<GateChecked> {
  const { interrupts, level } = check;
  const project = await gateProject(check.base, check.tasks, level === 'repeat' ? check.repeats : 1);
  const { engine, host } = await reachEngine(environment);
  const emit = gateProgress(environment);
  const stop = interrupts.stop.signal;
  const images = imageStore(environment, engine, { project, emit, stop, rebuildTasks: check.rebuild });
  const findings: Finding[] = [];
  const built: Task[] = [];
  for (const task of project.tasks) {
    if (interrupts.drain.aborted) break;
    const checked = await buildFindings(images, task, stop);
    findings.push(...checked.findings);
    if (checked.isBuilt) built.push(task);
  }
  if (level === 'build' || built.length === 0) return { findings, dir: undefined, leftBehind: [] };
  const run = makeRunId('task-check', environment.now(), randomBytes(2).toString('hex'));
  await using evidence = await openEvidence(environment.cwd, run);
  const { dir } = evidence;
  const { concurrency } = check;
  const talk = (message: string) => say(environment.stderr, message);
  const bench: TrialBench = {
    environment,
    engine,
    host,
    images,
    run,
    dir,
    concurrency,
    emit,
    say: talk,
    interrupts,
  };
  try {
    const tried = await tryAll(bench, { ...project, tasks: built });
    return { findings: [...findings, ...tried.findings], dir, leftBehind: tried.leftBehind };
  } catch (error) {
    talk(`evidence of the trials until then: ${dir}`);
    throw error;
  }
}

async function tryAll(bench: TrialBench, project: Project) {
  const all = gateTrials(project);
  // What nothing done shows first: without tests that can be collected no other trial tells more.
  const first = await runTrials(bench, project, { trials: all.filter(isFirst), verifications: 2 });
  const unreadable = new Set(
    first.records.filter(({ outcome }) => isUncollected(outcome)).map(({ trial }) => trial.task),
  );
  const rest = all.filter((trial) => !isFirst(trial) && !unreadable.has(trial.task));
  const others = await runTrials(bench, project, { trials: rest, verifications: 2 });
  const records = [...first.records, ...others.records];
  const readable = project.tasks.filter(({ id }) => !unreadable.has(id));
  const wrong = almostRightProject({ ...project, tasks: readable });
  const emit = gateProgress(bench.environment, 'almost-right solution: ');
  const wrongDir = join(bench.dir, 'almost-right');
  const almost = await runTrials({ ...bench, emit, dir: wrongDir }, wrong, {
    trials: almostRightTrials(wrong),
    verifications: 1,
  });
  const lastWords = new Map([
    ...(await readLastWords(bench.dir, records)),
    ...(await readLastWords(wrongDir, almost.records)),
  ]);
  const tried = { records, almost: almost.records, lastWords };
  const findings = project.tasks.flatMap((task) => judge(task, tried));
  return { findings, leftBehind: [first, others, almost].flatMap(({ leftBehind }) => leftBehind) };
}

interface Tried extends Pick<GateEvidence, 'lastWords'> {
  readonly records: readonly AttemptRecord[];
  readonly almost: readonly AttemptRecord[];
}

function judge(task: Task, { records, almost, lastWords }: Tried): Finding[] {
  const own = records.filter(({ trial }) => trial.task === task.id).toSorted(byIndex);
  const of = (configuration: string, condition: string) =>
    own.filter(({ trial }) => trial.configuration === configuration && trial.condition === condition);
  const hasSkills = task.skills.length > 0;
  return judgeGate({
    task,
    oracle: of(ORACLE, hasSkills ? 'with-skills' : 'no-skills'),
    oracleWithout: hasSkills ? of(ORACLE, 'no-skills') : [],
    nop: of(NOP, 'no-skills'),
    almostRight: almost.filter(({ trial }) => trial.task === task.id),
    lastWords,
  });
}

function byIndex(a: AttemptRecord, b: AttemptRecord): number {
  return a.trial.index - b.trial.index;
}
