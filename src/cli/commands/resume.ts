import { InputError } from '../../model/problem.ts';
import type { RunLock } from '../../model/run-lock.ts';
import { differences, driftProblems } from '../../plan/differences.ts';
import { resume } from '../../plan/resume.ts';
import { readRun } from '../../record/read-run.ts';
import { openRun } from '../../record/run-folder.ts';
import { reachEngine } from '../compose.ts';
import type { Environment } from '../environment.ts';
import { execute } from '../execute.ts';
import { findRun } from '../find-run.ts';
import type { HowFlags } from '../flags.ts';
import { loadExperiment } from '../load-experiment.ts';
import { makeLock } from '../make-lock.ts';
import { requireModels } from '../models.ts';
import { openSession } from '../session.ts';

type ResumeFlags = HowFlags & { readonly retryUnscored: boolean; readonly acceptMovedBase: boolean };

/** `skillpair resume`: goes on with a run, when everything it is made of is still what it was. */
export async function resumeCommand(
  environment: Environment,
  [named = '']: readonly string[],
  flags: ResumeFlags,
): Promise<number> {
  const dir = await findRun(environment, flags.runs, named);
  const { lock, trials } = await readRun(dir);
  const project = await loadExperiment(environment, lock.experimentPath, flags.substitute);
  await requireModels(environment, project, lock.plan.trials);
  const reached = await reachEngine(environment);
  const { engine, host } = reached;
  await using session = openSession({ environment, flags, reached, project });
  const planned = new Set(lock.tasks.map(({ id }) => id));
  const tasks = project.tasks.filter(({ id }) => planned.has(id));
  const baseImages = await session.images.baseImages(tasks, session.interrupts.stop.signal);
  const now = makeLock({
    run: lock.run,
    createdAt: new Date(lock.createdAt),
    project,
    plan: lock.plan,
    part: lock.part,
    host,
    baseImages,
  });
  refuseDrift(lock, now, flags);
  await using folder = await openRun({ dir, onBroken: session.broken });
  session.keepIn(folder.journal);
  for (const message of folder.notices)
    session.emit({ kind: 'notice', at: environment.now().toISOString(), message });
  const owed = resume(lock.plan, trials, {
    retryUnscored: flags.retryUnscored,
    maxAttempts: project.experiment.attempts.max,
  });
  return await execute({
    ...session,
    environment,
    flags,
    project,
    engine,
    host,
    folder,
    owed,
    resumed: true,
  });
}

function refuseDrift(lock: RunLock, now: RunLock, flags: ResumeFlags): void {
  const drift = driftProblems(differences(lock, now, { movedBaseImages: flags.acceptMovedBase }));
  if (drift.length > 0) throw new InputError(drift);
}
