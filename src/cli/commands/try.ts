import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConditionName } from '../../model/ids.ts';
import type { Outcome } from '../../model/outcome.ts';
import { InputError } from '../../model/problem.ts';
import type { Task } from '../../model/task.ts';
import { makeRunId } from '../../record/run-id.ts';
import { renderTryResult } from '../../report/try-result.ts';
import { tryTask } from '../../run/try-task.ts';
import { imageStore, packageStore, reachEngine, trialServices } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT, interruptedCode } from '../exit-code.ts';
import { CANARY_EXPERIMENT, loadExperiment, machineSettings, warnings } from '../load-experiment.ts';
import { openModels } from '../models.ts';
import { readOneTask } from '../read-tasks.ts';
import { lookAtStates } from '../task-state.ts';
import { personAt } from '../try/person.ts';
import { tryProject } from '../try/try-project.ts';
import { watchSignals } from '../watch-signals.ts';

/** Flags of `try`. */
interface TryFlags {
  readonly condition: ConditionName;
  readonly harness: string;
  readonly shell?: string;
  readonly skills?: string;
}

/**
 * `skillpair try`: a task's container as an agent gets it, with a shell in the agent's place, and the verifier on what was done in it. Exit code
 * 0 passed, 1 failed, 4 no verdict.
 */
export async function tryCommand(
  environment: Environment,
  [given = '']: readonly string[],
  flags: TryFlags,
): Promise<number> {
  const read = await readOneTask(environment.cwd, given, flags.skills);
  const base = await loadExperiment(environment, CANARY_EXPERIMENT);
  const { engine, host } = await reachEngine(environment);
  const [seen] = await lookAtStates([read], base, engine);
  const { task } = read.loaded;
  const problems = seen?.problems ?? [];
  if (task === undefined || seen?.state.kind === 'cannot-run') throw new InputError(problems);
  environment.stderr.stream.write(warnings(environment, problems));
  const { project, trial, configuration, harness } = await tryProject(base, task, {
    ...flags,
    cwd: environment.cwd,
  });

  using signals = watchSignals(environment, 'the container is removed, and nothing is verified');
  const stop = signals.stop.signal;
  const run = makeRunId(runName(task), environment.now(), randomBytes(2).toString('hex'));
  const leftBehind: string[] = [];
  const tell = (line: string) => say(environment.stderr, line);
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-try-'));
  let outcome: Outcome;
  try {
    const emit = (event: { readonly kind: string; readonly what?: string }) => {
      if (event.kind === 'build-started') tell(`${event.what} ...`);
    };
    const images = imageStore(environment, engine, { project, emit, stop });
    const owed = {
      engine,
      images,
      run,
      stop,
      say: tell,
      leftBehind: (what: string) => leftBehind.push(what),
    };
    const machine = await machineSettings(environment);
    const reach = machine.models;
    const packages = packageStore(machine, { trials: [trial], verifications: 1, say: tell });
    await using models = await openModels(environment, { ...owed, project, reach, trials: [trial] });
    outcome = await tryTask(
      trialServices({ engine, host, images, project, run, models, packages }),
      {
        ...{ trial, task, configuration, harness, stop, attempt: 1, verifications: 1, evidenceDir: dir },
        notice: ({ detail, paths = [] }) => tell([detail, ...paths].join('\n  ')),
        inSlot: (work) => work(),
        leftBehind: owed.leftBehind,
      },
      personAt(environment, { task, condition: flags.condition, shell: flags.shell }),
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  for (const what of leftBehind) tell(`left behind: ${what}`);
  const by = signals.by();
  if (by !== undefined) return interruptedCode(by);
  say(environment.stdout, renderTryResult(outcome));
  if (outcome.kind === 'unscored' || leftBehind.length > 0) return EXIT.incomplete;
  return outcome.verdict.passed ? EXIT.ok : EXIT.gate;
}

/** As much of a task's id as the name of a run has room for. */
function runName({ id }: Task): string {
  return `try-${id.toLowerCase().slice(0, 40)}`;
}
