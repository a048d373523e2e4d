import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { COMMAND } from '../model/command.ts';
import { InputError } from '../model/problem.ts';
import type { Environment } from './environment.ts';

/** Either makes a folder a run, or imported results. */
const RECORD_FILES = ['run.json', 'import.json'];

/**
 * The folder of a run named by its id, an unambiguous beginning of it, `@latest`, or a path, also of its `run.json`.
 * Throws InputError that lists what there is.
 */
export async function findRun(environment: Environment, runs: string, named: string): Promise<string> {
  const asPath = resolve(environment.cwd, named);
  if (holdsRecord(asPath)) return asPath;
  if (RECORD_FILES.includes(basename(asPath)) && existsSync(asPath)) return dirname(asPath);
  const dir = resolve(environment.cwd, runs);
  const known = await runsIn(dir);
  if (named === '@latest' && known.length > 0) return join(dir, known.at(-1) ?? '');
  const exact = known.filter((id) => id === named);
  const found = exact.length > 0 ? exact : known.filter((id) => id.startsWith(named));
  const [only] = found;
  if (only !== undefined && found.length === 1) return join(dir, only);
  const candidates = found.length > 1 ? found : known;
  throw new InputError([
    {
      severity: 'error',
      message:
        found.length > 1 ? `"${named}" names ${found.length} runs` : `there is no run "${named}" in ${dir}`,
      repair:
        candidates.length === 0
          ? `start one with ${COMMAND} run, or say with --runs where they are`
          : `one of: ${candidates.slice(-10).join(', ')}`,
    },
  ]);
}

/** Ids of the runs in a folder, oldest first: ids carry their time. */
async function runsIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  const runs = names.filter((name) => holdsRecord(join(dir, name)));
  return runs.sort((a, b) => timeIn(a).localeCompare(timeIn(b)) || a.localeCompare(b));
}

/** A run, or imported results. */
function holdsRecord(dir: string): boolean {
  return RECORD_FILES.some((name) => existsSync(join(dir, name)));
}

function timeIn(id: string): string {
  return /\d{8}-\d{6}/.exec(basename(id))?.[0] ?? '';
}
