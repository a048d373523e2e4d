import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { proxyVariables } from '../src/cli/compose.ts';
import { HOST_CERTIFICATES } from '../src/cli/host-certificates.ts';
import { CACHE_DIR, machineSettings } from '../src/cli/load-experiment.ts';
import { readTasks } from '../src/cli/read-tasks.ts';
import { EngineError } from '../src/engine/engine.ts';
import { Fault } from '../src/model/fault.ts';
import { InputError } from '../src/model/problem.ts';
import { baseNames } from './base-names.ts';
import { buildStandIn, type StandInTools } from './build-stand-ins.ts';
import { machineLock } from './machine-lock.ts';
import { prepare } from './prepare.ts';
import { makeRootFileSystem } from './root-file-system.ts';
import { runMain, SetupFailure } from './setup-failure.ts';
import { COMMON_NAMES, standInFor } from './stand-in-names.ts';
import { ROOT } from './state-file.ts';

const USAGE = 'npm run stand-ins -- [--fat] [folder of tasks ...]';

/** `npm run stand-ins [-- [--fat] [folder of tasks ...]]`: builds stand-ins and prints the settings that name them. */
async function standIns(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { fat: { type: 'boolean', default: false } },
  });
  const names = positionals.length === 0 ? COMMON_NAMES : await namesIn(positionals);
  const { trustCa } = await machineSettings({ env: process.env, cwd: process.cwd() });
  const { engine } = await prepare();
  await using _lock = await machineLock('stand-ins');
  const tools: StandInTools = {
    engine,
    makeRootFileSystem,
    templates: join(ROOT, 'templates', 'stand-ins'),
    cacheDir: CACHE_DIR,
    trustCa,
    certificates: HOST_CERTIFICATES,
    proxyEnv: proxyVariables(process.env),
    say: (line) => console.error(line),
    signal: new AbortController().signal,
  };
  const substitute: Record<string, string> = {};
  for (const name of names) {
    const standIn = standInFor(name, values.fat);
    if (standIn === undefined)
      console.error(`no stand-in for ${name}: load that image, or leave its tasks out`);
    else substitute[name] = await buildStandIn(tools, standIn);
  }
  console.log(stringify({ images: { substitute, trustCa } }).trimEnd());
  return 0;
}

/** Every image that these tasks start from or copy from, in order of name. */
async function namesIn(folders: readonly string[]): Promise<readonly string[]> {
  const tasks = await readTasks(process.cwd(), folders, undefined);
  return [...new Set((await Promise.all(tasks.map(baseNames))).flat())].sort();
}

/** What a user can mend is said without a stack. */
function explained(error: unknown): unknown {
  if (error instanceof InputError) {
    const said = error.problems.map(({ where, message }) => (where ? `${where.file}: ${message}` : message));
    return new SetupFailure(said.join('\n'), { repair: USAGE, cause: error });
  }
  if (error instanceof EngineError || error instanceof Fault) {
    return new SetupFailure(error.message, {
      repair: 'mend what the message says (often the reach of a package mirror), and run this again',
      cause: error,
    });
  }
  const isUsage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return isUsage ? new SetupFailure(error.message, { repair: USAGE, cause: error }) : error;
}

await runMain(async () => {
  try {
    return await standIns(process.argv.slice(2));
  } catch (error) {
    throw explained(error);
  }
});
