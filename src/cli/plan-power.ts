import { basename } from 'node:path';
import { measureReportable } from '../measure/measure-reportable.ts';
import { plannedPower } from '../measure/uncertainty/planned-power.ts';
import type { PlannedPower } from '../model/planned-power.ts';
import { InputError } from '../model/problem.ts';
import type { Plan } from '../model/trial.ts';
import { readReportable } from '../record/import-folder.ts';
import type { Environment } from './environment.ts';
import { findRun } from './find-run.ts';

/** What a plan could show, by the noise of an earlier run where one is named. Throws InputError where there is nothing to compare. */
export async function planPower(
  environment: Environment,
  { trials }: Plan,
  like: { readonly runs: string; readonly like?: string },
): Promise<PlannedPower> {
  const conditions = new Set(trials.map(({ condition }) => condition));
  if (conditions.size < 2) {
    const message = 'one condition alone shows no gain, so there is nothing to find';
    throw new InputError([{ severity: 'error', message, repair: 'plan two conditions' }]);
  }
  const design = {
    tasks: new Set(trials.map(({ task }) => task)).size,
    trials: Math.max(...trials.map(({ index }) => index)),
  };
  if (like.like === undefined) return plannedPower(design);
  const dir = await findRun(environment, like.runs, like.like);
  const measurement = measureReportable(await readReportable(dir));
  return plannedPower(design, { measurement, name: basename(dir) });
}
