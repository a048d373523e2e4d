import { join } from 'node:path';
import { didYouMean } from '../load/did-you-mean.ts';
import { loadHarnessFolder } from '../load/harnesses.ts';
import type { Harness } from '../model/harness.ts';
import { InputError } from '../model/problem.ts';

/** The harness of that id in a folder of harnesses. Throws InputError where there is none, or where it cannot be read. */
export async function namedHarness(dir: string, id: string): Promise<Harness> {
  const { harnesses, problems } = await loadHarnessFolder(dir);
  const harness = harnesses.get(id);
  if (harness !== undefined) return harness;
  const own = problems.filter(({ where }) => where?.file.startsWith(join(dir, id, '/')));
  if (own.length > 0) throw new InputError(own);
  const repair = didYouMean(id, [...harnesses.keys()]);
  throw new InputError([{ severity: 'error', message: `there is no harness "${id}" in ${dir}`, repair }]);
}
