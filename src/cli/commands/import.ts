import { basename, join, relative, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { digestBytes } from '../../base/digest.ts';
import { readText } from '../../load/read-text.ts';
import { parseResults } from '../../load/results-csv.ts';
import { COMMAND } from '../../model/command.ts';
import { RunId } from '../../model/ids.ts';
import { InputError } from '../../model/problem.ts';
import { writeImport } from '../../record/import-folder.ts';
import { formatMany } from '../../report/format.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { version } from '../version.ts';

/** Trials by the hundred thousand, a line each. */
const LIMIT_MIB = 256;

/** `skillpair import`: results that another program made, into a folder that `report` reads. */
export async function importCommand(
  environment: Environment,
  [given = '']: readonly string[],
  flags: { readonly runs: string; readonly runId?: string; readonly json: boolean },
): Promise<number> {
  const path = resolve(environment.cwd, given);
  const text = await readText(path, LIMIT_MIB);
  if (!text.ok) throw new InputError([text.error]);
  const read = parseResults(text.value, path);
  if (!read.ok) throw new InputError(read.error);
  const { rows, configurations, results, ignored } = read.value;
  const run = runId(flags.runId ?? nameFrom(path));
  const dir = join(resolve(environment.cwd, flags.runs), run);
  await writeImport(dir, {
    schemaVersion: 1,
    run,
    importedAt: environment.now().toISOString(),
    skillpair: version(),
    source: { file: basename(path), digest: digestBytes(text.value), rows },
    configurations: [...configurations],
    results,
  });
  const folder = relative(environment.cwd, dir) || '.';
  if (flags.json) {
    const found = { run, folder, rows, kind: results.kind, configurations: configurations.length, ignored };
    say(environment.stdout, canonicalJson(found));
    return EXIT.ok;
  }
  const what = results.kind === 'averages' ? 'mean' : 'trial';
  const many = `${formatMany(rows, 'row')}, a ${what} each, of ${formatMany(configurations.length, 'configuration')}`;
  say(environment.stdout, `imported: ${many}, into ${folder}`);
  if (ignored.length > 0)
    say(environment.stderr, `notice: columns that were not read: ${ignored.join(', ')}`);
  say(environment.stdout, `next: ${COMMAND} report ${run}`);
  return EXIT.ok;
}

/** The file's name as a run id may be. */
function nameFrom(path: string): string {
  const name = basename(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
  return (
    name
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 80) || 'imported'
  );
}

function runId(text: string): RunId {
  const parsed = RunId.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = `--run-id ${JSON.stringify(text)}: ${parsed.error.issues[0]?.message}`;
  throw new InputError([{ severity: 'error', message, repair: 'name it like public-results-1' }]);
}
