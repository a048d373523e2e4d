import { Fault } from '../../model/fault.ts';
import type { Harness } from '../../model/harness.ts';
import type { CheckRow } from '../../report/check-table.ts';
import { imageStore, reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { CANARY_EXPERIMENT, loadExperiment } from '../load-experiment.ts';

/** Name of the case that comes before all trials. */
export const BUNDLE_CASE = 'bundle';

/**
 * Builds the bundle of a harness where it is not there, and reads its version back. Undefined for a harness without a bundle, and when it
 * is stopped. Rejects with EngineError where no engine answers.
 */
export async function checkBundle(
  environment: Environment,
  harness: Harness,
  stop: AbortSignal,
): Promise<CheckRow | undefined> {
  const { bundle, version, versionCommand } = harness.manifest;
  if (!bundle) return undefined;
  const isAsked = versionCommand !== undefined;
  const common = { name: BUNDLE_CASE, expected: [isAsked ? `says ${version}` : 'built'] };
  const { engine } = await reachEngine(environment);
  const project = await loadExperiment(environment, CANARY_EXPERIMENT);
  const store = imageStore(environment, engine, {
    project,
    stop,
    emit: (event) => {
      if (event.kind === 'build-started') say(environment.stderr, `${event.what} ...`);
    },
  });
  try {
    await store.harnessVolume(harness, stop);
    const said = store.harnessVersion(harness);
    return { ...common, found: said === undefined ? 'built' : `says ${said}`, ok: true };
  } catch (error) {
    if (stop.aborted) return undefined;
    if (!(error instanceof Fault)) throw error;
    return { ...common, found: error.reason, ok: false, detail: error.message };
  }
}
