import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../model/configuration.ts';
import type { Experiment } from '../model/experiment.ts';
import { type Discovery, type Harness, HarnessManifest } from '../model/harness.ts';
import { hasErrors, type Problem } from '../model/problem.ts';
import { checkPlaceholders } from './check-placeholders.ts';
import { didYouMean } from './did-you-mean.ts';
import { folderDigest } from './digest.ts';
import { checkDiscovery, joinDiscovery, loadDiscovery } from './discovery-file.ts';
import type { LocatedFile } from './located-file.ts';
import { isFile } from './read-text.ts';
import { LISTING_FILE } from './skill-listings.ts';
import { readYamlFile } from './yaml-file.ts';

/** The harnesses that configurations name, and where any known harness finds Skills. */
export interface LoadedHarnesses {
  readonly harnesses: ReadonlyMap<string, Harness>;
  readonly discovery: Discovery;
  readonly problems: readonly Problem[];
}

/**
 * Reads a folder of harnesses. Only those that configurations name must be right; faults in others are warnings, since
 * they merely make attestation look at fewer folders.
 */
export async function loadHarnesses(input: {
  readonly dir: string;
  readonly file: LocatedFile<Experiment>;
  readonly configurations: readonly Configuration[];
}): Promise<LoadedHarnesses> {
  const { dir, configurations } = input;
  const names = await harnessNames(dir);
  const named = new Set<string>(configurations.map(({ harness }) => harness));
  const known = await loadDiscovery(dir);
  const harnesses = new Map<string, Harness>();
  const discoveries: Discovery[] = [known.discovery];
  const problems: Problem[] = [...known.problems];
  for (const name of names) {
    const loaded = await loadHarness(join(dir, name), name);
    problems.push(...(named.has(name) ? loaded.problems : loaded.problems.map(asWarning)));
    if (loaded.harness === undefined) continue;
    discoveries.push(loaded.harness.manifest.discovery);
    if (named.has(name)) harnesses.set(name, loaded.harness);
  }
  problems.push(...checkConfigurations({ ...input, names, harnesses }));
  return { harnesses, discovery: joinDiscovery(discoveries), problems };
}

/** Every harness of a folder that is right, by id, and what is wrong with the others. */
export async function loadHarnessFolder(
  dir: string,
): Promise<{ readonly harnesses: ReadonlyMap<string, Harness>; readonly problems: readonly Problem[] }> {
  const harnesses = new Map<string, Harness>();
  const problems: Problem[] = [];
  for (const name of await harnessNames(dir)) {
    const loaded = await loadHarness(join(dir, name), name);
    problems.push(...loaded.problems);
    if (loaded.harness !== undefined) harnesses.set(name, loaded.harness);
  }
  return { harnesses, problems };
}

function asWarning(problem: Problem): Problem {
  return problem.severity === 'error' ? { ...problem, severity: 'warning' } : problem;
}

async function harnessNames(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    if (await isFile(join(dir, entry.name, 'harness.yaml'))) names.push(entry.name);
  }
  return names.toSorted();
}

async function loadHarness(
  dir: string,
  name: string,
): Promise<{ harness?: Harness; problems: readonly Problem[] }> {
  const file = await readYamlFile(join(dir, 'harness.yaml'), HarnessManifest);
  if (!file.ok) return { problems: file.error };
  const manifest = file.value.value;
  const problems = [
    ...file.value.problems,
    ...checkDiscovery(manifest.discovery, file.value.path),
    ...checkPlaceholders(file.value),
  ];
  if (manifest.id !== name) {
    const message = `the id "${manifest.id}" differs from the folder's name, "${name}"`;
    problems.push({
      severity: 'error',
      message,
      where: file.value.locate(['id']),
      repair: `write "id: ${name}"`,
    });
  }
  if (manifest.bundle && !(await isFile(join(dir, 'Dockerfile')))) {
    const message = 'the harness has a bundle and no Dockerfile to build it';
    const repair = `write ${name}/Dockerfile, or "bundle: false"`;
    problems.push({ severity: 'error', message, where: file.value.locate(['bundle']), repair });
  }
  if (hasErrors(problems)) return { problems };
  // What is known of its listing changes nothing that is run.
  const digest = await folderDigest(dir, { exclude: [LISTING_FILE] });
  return { harness: { manifest, dir, digest }, problems };
}

function checkConfigurations(input: {
  readonly dir: string;
  readonly file: LocatedFile<Experiment>;
  readonly configurations: readonly Configuration[];
  readonly names: readonly string[];
  readonly harnesses: ReadonlyMap<string, Harness>;
}): Problem[] {
  const { file, names } = input;
  if (names.length === 0) {
    const message = `there are no harnesses in ${input.dir}`;
    const repair = 'correct "harnesses"; a harness is a folder with a harness.yaml';
    return [{ severity: 'error', message, where: file.locate(['harnesses']), repair }];
  }
  return input.configurations.flatMap((configuration, index): Problem[] => {
    const { harness: id, model } = configuration;
    if (!names.includes(id)) {
      const message = `there is no harness "${id}" in ${input.dir}`;
      const where = file.locate(['configurations', index, 'harness']);
      return [{ severity: 'error', message, where, repair: didYouMean(id, names) }];
    }
    const manifest = input.harnesses.get(id)?.manifest;
    if (manifest === undefined) return [];
    if (manifest.protocol !== undefined && model === undefined) {
      const message = `the harness "${id}" needs a model, and the configuration "${configuration.name}" names none`;
      const where = file.locate(['configurations', index], 'key');
      return [{ severity: 'error', message, where, repair: 'add "model: <name>"' }];
    }
    if (manifest.protocol === undefined && model !== undefined) {
      const message = `the harness "${id}" uses no model: "${model}" has no effect`;
      const where = file.locate(['configurations', index, 'model']);
      return [{ severity: 'warning', message, where, repair: 'remove it' }];
    }
    return [];
  });
}
