import { join } from 'node:path';
import { matchesGlob } from '../base/glob.ts';
import type { AttemptRecord } from '../model/attempt.ts';
import { InputError } from '../model/problem.ts';
import type { Project } from '../model/project.ts';
import type { RunRecord } from '../model/run-record.ts';
import type { NotVerifiable } from '../model/verified-again.ts';
import { attemptLayout } from '../record/layout.ts';
import type { KeptWork } from '../run/verify-kept.ts';

/** Where an attempt keeps the outputs of its agent, relative to its folder. */
const OUTPUTS = 'artifacts/outputs.tar';

/**
 * The kept work of a run's trials, in plan order, of the attempt that counts; and of which there is none. `globs`: only trials whose id
 * matches one of them; none means all. Throws InputError where they match nothing.
 */
export function keptWorkOf(
  dir: string,
  from: { readonly record: RunRecord; readonly project: Project; readonly globs: readonly string[] },
): { readonly kept: readonly KeptWork[]; readonly impossible: readonly NotVerifiable[] } {
  const { record, project, globs } = from;
  const chosen = record.trials.filter(
    ({ trial }) => globs.length === 0 || globs.some((glob) => matchesGlob(glob, trial.id)),
  );
  if (chosen.length === 0) throw noneChosen(globs, record);
  const kept: KeptWork[] = [];
  const impossible: NotVerifiable[] = [];
  for (const { trial, counted } of chosen) {
    const found = counted === undefined ? 'it has not run' : workOf(dir, counted, project);
    if (typeof found === 'string') impossible.push({ trial: trial.id, why: found });
    else kept.push(found);
  }
  return { kept, impossible };
}

/** Or why there is none. */
function workOf(dir: string, record: AttemptRecord, project: Project): KeptWork | string {
  const { trial, attempt, evidence } = record;
  const task = project.tasks.find(({ id }) => id === trial.task);
  if (task === undefined) return 'its task is not there any more';
  if (task.verifier.isolation === 'snapshot') return 'no work is kept of tasks with isolation "snapshot"';
  if (!evidence.includes(OUTPUTS)) return `attempt ${attempt} ended before its outputs were taken`;
  const configuration = project.configurations.find(({ name }) => name === trial.configuration);
  const harness = configuration && project.harnesses.get(configuration.harness);
  if (configuration === undefined || harness === undefined)
    return 'its configuration is not in the experiment any more';
  const outputsTar = join(attemptLayout(dir, trial, attempt).dir, OUTPUTS);
  return { record, outputsTar, task, configuration, harness };
}

function noneChosen(globs: readonly string[], { trials }: RunRecord): InputError {
  const some = trials.slice(0, 3).map(({ trial }) => trial.id);
  return new InputError([
    {
      severity: 'error',
      message: `no trial of the run matches ${globs.map((glob) => `"${glob}"`).join(' or ')}`,
      repair: `a trial is named task/condition/index/configuration, as in ${some.join(', ')}; * stands for any text`,
    },
  ]);
}
