import { resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { Harness } from '../../model/harness.ts';
import { hasErrors } from '../../model/problem.ts';
import { type HarnessRow, renderHarnesses } from '../../report/harness-table.ts';
import { reachEngine } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { CANARY_EXPERIMENT, loadExperiment, warnings } from '../load-experiment.ts';
import { builtBundles } from '../look-at-images.ts';
import { harnessesIn } from '../named-harness.ts';

/** `skillpair harness list`: which harnesses there are. Needs no engine; without one, nobody knows what is built. */
export async function harnessListCommand(
  environment: Environment,
  _arguments: readonly string[],
  flags: { readonly harnesses: string; readonly json: boolean },
): Promise<number> {
  const dir = resolve(environment.cwd, flags.harnesses);
  const { harnesses, problems } = await harnessesIn(dir, environment.cwd);
  const built = await whatIsBuilt(environment, [...harnesses.values()]);
  const rows = [...harnesses.values()].map((harness) => rowOf(harness, built));
  if (flags.json) say(environment.stdout, canonicalJson({ schemaVersion: 1, harnesses: rows, problems }));
  else {
    say(environment.stdout, renderHarnesses(rows));
    environment.stderr.stream.write(warnings(environment, problems));
  }
  return hasErrors(problems) ? EXIT.input : EXIT.ok;
}

type Built = ReadonlyMap<string, boolean | undefined>;

/** Nothing is known where no engine answers, or where one stops answering. */
async function whatIsBuilt(environment: Environment, harnesses: readonly Harness[]): Promise<Built> {
  try {
    const { engine } = await reachEngine(environment);
    const project = await loadExperiment(environment, CANARY_EXPERIMENT);
    return await builtBundles(project, harnesses, engine);
  } catch {
    return new Map();
  }
}

function rowOf({ manifest }: Harness, built: Built): HarnessRow {
  const { id, title, version, protocol, discovery, bundle } = manifest;
  const { home, project, system } = discovery;
  const exists = built.get(id);
  const state = exists === undefined ? 'unknown' : exists ? 'built' : 'not-built';
  return {
    id,
    title,
    version,
    protocol,
    discoveryFolders: home.length + project.length + system.length,
    bundle: bundle ? state : 'none',
  };
}
