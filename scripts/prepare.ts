import type { Engine } from '../src/engine/engine.ts';
import { ensureBaseImage } from './base-image.ts';
import { ensureEngine } from './engine.ts';
import { machineLock } from './machine-lock.ts';
import { machineSettings } from './machine-settings.ts';
import { makeRootFileSystem } from './root-file-system.ts';
import { runMain } from './setup-failure.ts';
import { stateFile } from './state-file.ts';

/**
 * Makes this machine ready for runs: an engine that answers and a base image that builds find. Quick when it is ready;
 * safe when several commands do it at once. Rejects with SetupFailure.
 */
export async function prepare(): Promise<{ readonly engine: Engine; readonly baseImage: string }> {
  const engine = await ensureEngine();
  const settings = machineSettings(await stateFile('machine.yaml'));
  const say = (line: string) => console.error(line);
  await using _lock = await machineLock('base image');
  const baseImage = await ensureBaseImage({ engine, settings, makeRootFileSystem, say });
  return { engine, baseImage };
}

if (import.meta.main) {
  await runMain(async () => {
    const { engine, baseImage } = await prepare();
    const { address, version } = await engine.info(AbortSignal.timeout(30_000));
    console.log(`ready: engine ${version} at ${address}, base image ${baseImage}`);
    return 0;
  });
}
