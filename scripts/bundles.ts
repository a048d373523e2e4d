import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageStore } from '../src/cli/compose.ts';
import { loadExperiment } from '../src/cli/load-experiment.ts';
import type { Harness } from '../src/model/harness.ts';
import type { Project } from '../src/model/project.ts';
import { prepare } from './prepare.ts';
import { runMain } from './setup-failure.ts';
import { ROOT } from './state-file.ts';

const environment = { cwd: ROOT, env: process.env, now: () => new Date() };

/** Builds every bundle that a trial may mount: each harness that has one, and the verifier. Quick when they are there. */
await runMain(async () => {
  const { engine } = await prepare();
  const project = await everyHarness();
  const { signal } = new AbortController();
  const store = imageStore(environment, engine, { project, emit: () => undefined, stop: signal });
  const build = async (harness: Harness) => {
    const volume = await store.harnessVolume(harness, signal);
    const said = store.harnessVersion(harness);
    const read = said === undefined ? '' : ` (says: ${said})`;
    console.log(
      `harness ${harness.manifest.id} ${harness.manifest.version}${read}: ${volume ?? 'needs no bundle'}`,
    );
  };
  // Side by side: most of a build is waiting for downloads. All are awaited before the first failure is told.
  const built = await Promise.allSettled([
    ...[...project.harnesses.values()].map(build),
    store.verifierVolume(signal).then((volume) => console.log(`verifier: ${volume}`)),
  ]);
  for (const one of built) if (one.status === 'rejected') throw one.reason;
  return 0;
});

/** A project in which every harness folder takes part. */
async function everyHarness(): Promise<Project> {
  const folders = await readdir(join(ROOT, 'harnesses'), { withFileTypes: true });
  const configurations = folders
    .filter((folder) => folder.isDirectory())
    .map(({ name }) => ({ harness: name, model: 'none' }));
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-bundles-'));
  try {
    const at = (name: string) => join(ROOT, name);
    const experiment = {
      schemaVersion: 1,
      name: 'bundles',
      tasks: { folders: [at('tasks')] },
      skills: at('skills'),
      harnesses: at('harnesses'),
      verifiers: at('verifiers'),
      configurations,
    };
    await writeFile(join(dir, 'bundles.yaml'), JSON.stringify(experiment));
    return await loadExperiment(environment, join(dir, 'bundles.yaml'));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
