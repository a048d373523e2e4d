import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { atomicWrite } from '../../base/atomic-write.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import { seedFrom } from '../../base/random.ts';
import { type ComparedRun, compareRuns } from '../../measure/compare/compare-runs.ts';
import type { ComparedFigure, Comparison } from '../../model/comparison.ts';
import { InputError } from '../../model/problem.ts';
import { isImport, type Reportable } from '../../model/run-record.ts';
import { differences } from '../../plan/differences.ts';
import { onDisk } from '../../record/disk-error.ts';
import { readReportable } from '../../record/import-folder.ts';
import { comparisonJunit } from '../../report/comparison-junit.ts';
import { renderComparison } from '../../report/comparison-table.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { findRun } from '../find-run.ts';

/** Two-sided, of each figure by itself. */
const SIGNIFICANT = 0.05;

interface CompareFlags {
  readonly runs: string;
  /** What makes it end with 1. `worse`: a figure that fell, by the sign-flip test not by chance; `lost`: any task that was lost, too. */
  readonly failOn: 'worse' | 'lost' | 'never';
  readonly junit?: string;
  readonly json: boolean;
}

/** `skillpair compare`: what moved between two runs, next to what changed. Reads their folders alone. */
export async function compareCommand(
  environment: Environment,
  [named = '', other = '']: readonly string[],
  flags: CompareFlags,
): Promise<number> {
  const [before, after] = [
    await readReportable(await findRun(environment, flags.runs, named)),
    await readReportable(await findRun(environment, flags.runs, other)),
  ];
  const compared = compareRuns(comparedRun(before), comparedRun(after));
  const comparison: Comparison = { ...compared, changed: changes(before, after) };
  refuseNothing(comparison);
  const { stdout, stderr } = environment;
  for (const notice of [...before.notices, ...after.notices]) say(stderr, `notice: ${notice}`);
  if (flags.junit !== undefined) {
    const path = resolve(environment.cwd, flags.junit);
    const at = environment.now().toISOString();
    await onDisk(path, () => atomicWrite(path, comparisonJunit(comparison, { at, hostname: hostname() })));
  }
  say(stdout, flags.json ? canonicalJson(comparison) : renderComparison(comparison));
  return gotWorse(comparison, flags.failOn) ? EXIT.gate : EXIT.ok;
}

function comparedRun(record: Reportable): ComparedRun {
  if (!isImport(record)) {
    const { lock, trials } = record;
    return {
      name: lock.run,
      results: { trials },
      configurations: lock.configurations,
      taskDigests: new Map(lock.tasks.map(({ id, digest }) => [id, digest])),
      seed: lock.plan.seed,
    };
  }
  const { imported, trials } = record;
  const { results } = imported;
  return {
    name: imported.run,
    results: { trials, ...(results.kind === 'averages' ? { averages: results.averages } : {}) },
    configurations: imported.configurations,
    taskDigests: new Map(),
    seed: seedFrom(imported.source.digest),
  };
}

/** Of imported results nothing is known but the figures. */
function changes(before: Reportable, after: Reportable): string[] {
  if (isImport(before) || isImport(after)) return [];
  return differences(before.lock, after.lock).map(({ message }) => message);
}

function refuseNothing({ configurations, before, after }: Comparison): void {
  if (configurations.some(({ arms }) => arms.some(({ figure }) => figure.tasks > 0))) return;
  const message = `${before} and ${after} have no task with a verdict in common, under one configuration and with the same files`;
  throw new InputError([
    { severity: 'error', message, repair: 'name two runs of the same tasks and configurations' },
  ]);
}

/** Controls decide nothing. */
function gotWorse({ configurations }: Comparison, failOn: CompareFlags['failOn']): boolean {
  if (failOn === 'never') return false;
  return configurations
    .filter(({ control }) => !control)
    .some(({ arms, gain, tasks }) => {
      const figures = [...arms.map(({ figure }) => figure), gain];
      const isWorse = figures.some(isWorseBeyondChance);
      return isWorse || (failOn === 'lost' && tasks.some(({ movement }) => movement === 'lost'));
    });
}

function isWorseBeyondChance({ change, signFlip }: ComparedFigure): boolean {
  return change !== null && change < 0 && signFlip !== null && signFlip.pValue < SIGNIFICANT;
}
