import { relative } from 'node:path';
import type { Engine, EngineInfo } from '../engine/engine.ts';
import type { ImageStore } from '../image/image-store.ts';
import { COMMAND } from '../model/command.ts';
import type { Emit } from '../model/event.ts';
import type { Project } from '../model/project.ts';
import type { TrialToRun } from '../plan/resume.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { FanOut } from '../report/fan-out.ts';
import type { DoneSummary } from '../report/json-lines.ts';
import { nextCommand } from '../report/next-command.ts';
import { renderSummary } from '../report/summary-table.ts';
import { EngineGate } from '../run/engine-gate.ts';
import { type RunResult, runExperiment } from '../run/run-experiment.ts';
import { clearUp, sweepDead } from './clear-up.ts';
import { packageStore, trialServices } from './compose.ts';
import { diskRoom } from './disk-room.ts';
import { type Environment, say } from './environment.ts';
import { exitCode } from './exit-code.ts';
import type { HowFlags } from './flags.ts';
import type { Interrupts } from './interrupts.ts';
import { machineSettings } from './load-experiment.ts';
import { openModels } from './models.ts';
import { printFailure } from './print-failure.ts';
import { reportRun } from './reporting.ts';
import { withModels } from './with-models.ts';

/** How long a run waits for an engine that went away. */
const ENGINE_PATIENCE_MS = 300_000;

/** Everything that run and resume have prepared alike. */
export interface Execution {
  readonly environment: Environment;
  readonly flags: HowFlags;
  readonly project: Project;
  readonly engine: Engine;
  readonly host: EngineInfo;
  readonly images: ImageStore;
  readonly folder: RunFolder;
  readonly owed: readonly TrialToRun[];
  readonly resumed: boolean;
  readonly emit: Emit;
  readonly reporters: FanOut;
  readonly interrupts: Interrupts;
  /** Why the run folder cannot be written any more, if it cannot. */
  readonly failure: () => Error | undefined;
  readonly done: (summary: DoneSummary) => void;
}

/** Runs what is owed, writes the reports whatever happened, prints the result and the next command, and returns the exit code. */
export async function execute(execution: Execution): Promise<number> {
  const { environment, folder, flags, interrupts, reporters } = execution;
  const result = await runAll(execution);
  const failure = result.failure ?? execution.failure();
  await folder.journal.flush();
  if (!flags.json) await reporters.close();
  const { cwd } = environment;
  const from = { cwd, junitBaseline: flags.junitBaseline };
  const { record, measurement, options, outDir } = await reportRun(folder.dir, from).catch((error) => {
    say(
      environment.stderr,
      `no reports; once that is mended: ${COMMAND} resume ${relative(cwd, folder.dir)}`,
    );
    throw error;
  });
  const code = exitCode({
    measurement,
    interruptedBy: result.reason === 'interrupted' ? interrupts.by() : undefined,
    failed: failure !== undefined,
    leftBehind: result.leftBehind.length,
    brokenReporters: reporters.faults.length,
  });
  const { counts, gates, publishable } = measurement;
  const next = nextCommand(record, measurement, options);
  const summary = { exitCode: code, counts, gates, publishable, reportsDir: outDir };
  execution.done(next === undefined ? summary : { ...summary, next });
  if (!flags.json) environment.stdout.stream.write(renderSummary(record, measurement, options));
  await printEnd(execution, result, failure);
  await reporters.close();
  return code;
}

async function runAll(execution: Execution): Promise<RunResult> {
  const { environment, project, engine, host, images, folder, emit, interrupts, owed } = execution;
  const { run, plan } = folder.lock;
  const { now } = environment;
  const at = () => now().toISOString();
  const planned = plan.trials.length;
  const say = (message: string) => emit({ kind: 'notice', at: at(), message });
  await sweepDead(engine, say);
  emit({ kind: 'run-started', at: at(), run, planned, toRun: owed.length, resumed: execution.resumed });
  const trials = owed.map(({ trial }) => trial);
  const machine = await machineSettings(environment);
  const packages = packageStore(machine, { trials, verifications: 1, say });
  const opening = {
    project,
    engine,
    images,
    reach: machine.models,
    run,
    trials,
    stop: interrupts.stop.signal,
    say,
  };
  const result = await withModels({
    open: (leftBehind) => openModels(environment, { ...opening, leftBehind }),
    say,
    run: (models) =>
      runExperiment({
        project,
        services: trialServices({ engine, host, images, project, run, models, packages }),
        trials: owed,
        concurrency: execution.flags.concurrency ?? project.experiment.concurrency,
        policy: project.experiment.attempts,
        gate: new EngineGate({
          engine,
          patienceMs: ENGINE_PATIENCE_MS,
          say,
          lack: diskRoom(host, folder.dir),
        }),
        beginAttempt: (trial, attempt) => folder.beginAttempt(trial, attempt),
        emit,
        now,
        drain: interrupts.drain,
        stop: interrupts.stop,
      }),
  });
  const leftBehind = await clearUp(engine, result.leftBehind);
  emit({ kind: 'run-ended', at: at(), run, reason: result.reason });
  return { ...result, leftBehind };
}

async function printEnd(
  { environment, reporters }: Execution,
  result: RunResult,
  failure: Error | undefined,
): Promise<void> {
  if (failure !== undefined) await printFailure(environment, failure);
  for (const what of result.leftBehind)
    say(environment.stderr, `left behind: ${what} (${COMMAND} clean removes it)`);
  for (const { reporter, cause } of reporters.faults)
    say(
      environment.stderr,
      `error: the ${reporter} broke: ${cause instanceof Error ? cause.message : cause}`,
    );
}
