import { canonicalJson } from '../base/canonical-json.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { Problem } from '../model/problem.ts';
import type { RunLock } from '../model/run-lock.ts';
import { configurationDifferences } from './configuration-differences.ts';
import type { Difference } from './difference.ts';
import { taskDifferences } from './task-differences.ts';

/** What the user has explicitly let go. */
export interface Tolerance {
  readonly movedBaseImages: boolean;
}

/**
 * Compares the lock of a run with one made freshly from the files, the engine and the program of now. Only what the locked plan
 * uses counts: tasks that are new or filtered out are no difference. Drift comes first.
 */
export function differences(
  locked: RunLock,
  fresh: RunLock,
  tolerance: Tolerance = { movedBaseImages: false },
): Difference[] {
  const found = [
    ...values(locked, fresh),
    ...taskDifferences(locked.tasks, fresh.tasks),
    ...configurationDifferences(locked, fresh),
    ...baseImages(locked, fresh, tolerance),
  ];
  return [...found.filter(({ kind }) => kind === 'drift'), ...found.filter(({ kind }) => kind === 'allowed')];
}

/** Why a run cannot be resumed: one problem for each drift. Empty when it can. */
export function driftProblems(found: readonly Difference[]): Problem[] {
  return found
    .filter(({ kind }) => kind === 'drift')
    .map(({ message }) => ({
      severity: 'error',
      message: `the run cannot be resumed: ${message}`,
      repair: 'put it back as it was, or start a new run',
    }));
}

interface Watched {
  readonly field: string;
  readonly name: string;
  readonly kind: Difference['kind'];
  readonly read: (lock: RunLock) => unknown;
}

const drift = (field: string, name: string, read: Watched['read']): Watched => ({
  field,
  name,
  kind: 'drift',
  read,
});
const allowed = (field: string, name: string, read: Watched['read']): Watched => ({
  field,
  name,
  kind: 'allowed',
  read,
});

const WATCHED: readonly Watched[] = [
  drift('skillpair', 'the version of skillpair', (lock) => lock.skillpair),
  drift('experiment.name', 'the name of the experiment', (lock) => lock.experiment.name),
  drift('experiment.seed', 'the seed', (lock) => lock.experiment.seed),
  drift('experiment.trials', 'the number of trials', (lock) => lock.experiment.trials),
  drift('experiment.conditions', 'the list of conditions', (lock) => [...lock.experiment.conditions].sort()),
  drift('experiment.images', 'the image settings', (lock) => ({
    ...lock.experiment.images,
    buildTimeFactor: undefined,
  })),
  drift('experiment.models', 'how models are reached', (lock) => compared(lock.experiment.models)),
  drift('scriptDigest', 'the model script', (lock) => lock.scriptDigest ?? 'none'),
  drift('verifiersDigest', 'the verifier bundle', (lock) => lock.verifiersDigest),
  drift('engine.platform', "the engine's platform", (lock) => lock.engine.platform),
  allowed('experiment.concurrency', 'concurrency', (lock) => lock.experiment.concurrency),
  allowed(
    'experiment.images.buildTimeFactor',
    'the time that builds get',
    (lock) => lock.experiment.images.buildTimeFactor,
  ),
  allowed('experiment.attempts', 'the attempts policy', (lock) => lock.experiment.attempts),
  allowed('experiment.models.budgets', 'the budgets', (lock) => lock.experiment.models.budgets),
  allowed('gates', 'the gates', (lock) => lock.gates),
  allowed('experiment.description', 'the description', (lock) => lock.experiment.description),
  allowed(
    'experiment.tasks',
    'the selection of tasks (the run keeps its plan)',
    (lock) => lock.experiment.tasks,
  ),
  allowed('experimentPath', "the experiment file's path", (lock) => lock.experimentPath),
  allowed('engine.version', "the engine's version", (lock) => lock.engine.version),
  allowed('engine.apiVersion', "the engine's API version", (lock) => lock.engine.apiVersion),
  allowed('engine.storageDriver', "the engine's storage driver", (lock) => lock.engine.storageDriver),
  allowed('host', 'the host', (lock) => lock.host),
];

/** Budgets may be raised to go on; limits of an account change only the pace. */
function compared({ budgets: _budgets, providers, ...rest }: ModelSettings): unknown {
  const accounts = Object.entries(providers).map(([name, { protocol, baseUrl }]) => [
    name,
    { protocol, baseUrl },
  ]);
  return { ...rest, providers: Object.fromEntries(accounts) };
}

function values(locked: RunLock, fresh: RunLock): Difference[] {
  return WATCHED.flatMap(({ field, name, kind, read }) => {
    const before = canonicalJson(read(locked));
    const now = canonicalJson(read(fresh));
    return before === now ? [] : [{ field, kind, message: `${name} changed (${before} -> ${now})` }];
  });
}

function baseImages(locked: RunLock, fresh: RunLock, tolerance: Tolerance): Difference[] {
  const kind = tolerance.movedBaseImages ? 'allowed' : 'drift';
  return Object.entries(locked.baseImages).flatMap(([name, before]) => {
    const now = fresh.baseImages[name];
    if (now !== undefined && canonicalJson(now) === canonicalJson(before)) return [];
    const moved = now === undefined ? 'can no longer be resolved' : `moved (${before.image} -> ${now.image})`;
    return [{ field: `baseImages.${name}`, kind, message: `base image ${name} ${moved}` }];
  });
}
