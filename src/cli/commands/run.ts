import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { RunId } from '../../model/ids.ts';
import { InputError } from '../../model/problem.ts';
import { makePlan } from '../../plan/plan.ts';
import { createRun, refuseOccupied } from '../../record/run-folder.ts';
import { makeRunId } from '../../record/run-id.ts';
import { reachEngine } from '../compose.ts';
import type { Environment } from '../environment.ts';
import { execute } from '../execute.ts';
import { type HowFlags, partOf, type SelectionFlags, selectionOf } from '../flags.ts';
import { loadExperiment, warnings } from '../load-experiment.ts';
import { makeLock } from '../make-lock.ts';
import { requireModels } from '../models.ts';
import { outputFolder } from '../output-place.ts';
import { openSession } from '../session.ts';

/** `skillpair run`: the main job. */
export async function runCommand(
  environment: Environment,
  [path = '']: readonly string[],
  flags: SelectionFlags & HowFlags & { readonly runId?: string },
): Promise<number> {
  const project = await loadExperiment(environment, path, flags.substitute);
  const planned = makePlan(project, { selection: selectionOf(flags), shard: flags.shard });
  if (!planned.ok) throw new InputError(planned.error);
  const { plan, tasks } = planned.value;
  const createdAt = environment.now();
  const run =
    runId(flags.runId) ?? makeRunId(project.experiment.name, createdAt, randomBytes(2).toString('hex'));
  if (!flags.quiet) environment.stderr.stream.write(warnings(environment, project.problems));
  const dir = join(await outputFolder(environment.cwd, '--runs', flags.runs), run);
  await refuseOccupied(dir);

  await requireModels(environment, project, plan.trials);
  const reached = await reachEngine(environment);
  const { engine, host } = reached;
  await using session = openSession({ environment, flags, reached, project });
  const baseImages = await session.images.baseImages(tasks, session.interrupts.stop.signal);
  const lock = makeLock({ run, createdAt, project, plan, part: partOf(flags), host, baseImages });
  await using folder = await createRun({ dir, lock, onBroken: session.broken });
  session.keepIn(folder.journal);
  const attemptsLeft = project.experiment.attempts.max;
  const owed = plan.trials.map((trial) => ({ trial, attempt: 1, attemptsLeft }));
  return await execute({
    ...session,
    environment,
    flags,
    project,
    engine,
    host,
    folder,
    owed,
    resumed: false,
  });
}

function runId(text: string | undefined): RunId | undefined {
  if (text === undefined) return undefined;
  const parsed = RunId.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = `--run-id ${JSON.stringify(text)}: ${parsed.error.issues[0]?.message}`;
  throw new InputError([{ severity: 'error', message, repair: 'name the run like demo-1' }]);
}
