import { join } from 'node:path';
import { didYouMean } from '../load/did-you-mean.ts';
import { folderFault } from '../load/folder-fault.ts';
import { loadHarnessFolder } from '../load/harnesses.ts';
import type { Harness } from '../model/harness.ts';
import { hasErrors, InputError, type Problem } from '../model/problem.ts';

/** The harnesses of a folder, by id, and what is wrong with them. Throws InputError where it holds none, told from `cwd`. */
export async function harnessesIn(
  dir: string,
  cwd: string,
): Promise<{ readonly harnesses: ReadonlyMap<string, Harness>; readonly problems: readonly Problem[] }> {
  const found = await loadHarnessFolder(dir);
  if (found.harnesses.size > 0 || hasErrors(found.problems)) return found;
  const repair = 'name a folder whose folders hold a harness.yaml';
  const message = 'there are no harnesses in this folder';
  const empty: Problem = { severity: 'error', message, where: { file: dir }, repair };
  throw new InputError([(await folderFault(dir, cwd, repair)) ?? empty]);
}

/** The harness of that id in a folder of harnesses. Throws InputError where there is none, or where it cannot be read. */
export async function namedHarness(dir: string, id: string, cwd: string): Promise<Harness> {
  const { harnesses, problems } = await harnessesIn(dir, cwd);
  const harness = harnesses.get(id);
  if (harness !== undefined) return harness;
  const own = problems.filter(({ where }) => where?.file.startsWith(join(dir, id, '/')));
  if (own.length > 0) throw new InputError(own);
  throw new InputError([noHarness(dir, id, [...harnesses.keys()])]);
}

/** What is said of a harness that there is not. */
export function noHarness(dir: string, id: string, known: readonly string[]): Problem {
  const message = `there is no harness "${id}" in ${dir}`;
  return { severity: 'error', message, repair: didYouMean(id, known) };
}
