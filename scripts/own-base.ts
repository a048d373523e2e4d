import { join } from 'node:path';
import { imageStore } from '../src/cli/compose.ts';
import { loadExperiment } from '../src/cli/load-experiment.ts';
import type { Engine } from '../src/engine/engine.ts';
import { ROOT } from './state-file.ts';

const OWN_BASE = 'skillpair/base:1';
const environment = { cwd: ROOT, env: process.env, now: () => new Date() };

/** Builds our own base image where it is not there and gives a name of it, for tests that start from it without the product. */
export async function ownBase(engine: Engine): Promise<string> {
  const experiment = join(ROOT, 'experiments', 'canary', 'experiment.yaml');
  const project = await loadExperiment(environment, experiment);
  const { signal } = new AbortController();
  const store = imageStore(environment, engine, { project, emit: () => undefined, stop: signal });
  const { [OWN_BASE]: base } = await store.baseImages(project.tasks, signal);
  const image = base === undefined ? undefined : await engine.image(base.image, signal);
  const name = image?.tags[0];
  if (name === undefined) throw new Error(`${OWN_BASE} was built and is not on the engine`);
  return name;
}
