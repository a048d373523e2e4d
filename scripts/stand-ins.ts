import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { HOST_CERTIFICATES, proxyVariables } from '../src/cli/compose.ts';
import { CACHE_DIR, machineSettings } from '../src/cli/load-experiment.ts';
import { readTasks } from '../src/cli/read-tasks.ts';
import { baseNames } from './base-names.ts';
import { buildStandIn, type StandInTools } from './build-stand-ins.ts';
import { prepare } from './prepare.ts';
import { makeRootFileSystem } from './root-file-system.ts';
import { runMain } from './setup-failure.ts';
import { COMMON_NAMES, standInFor } from './stand-in-names.ts';
import { ROOT } from './state-file.ts';

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

await runMain(() => standIns(process.argv.slice(2)));
