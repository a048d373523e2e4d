import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { makeRunId } from '../src/record/run-id.ts';
import { prepare } from './prepare.ts';
import { runMain } from './setup-failure.ts';
import { ROOT } from './state-file.ts';

const EXPERIMENT = 'experiments/demo.yaml';

/** `npm run demo [-- flags of skillpair run]`: set-up, then the main job on the tasks that come with the project. */
async function demo(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await prepare();
  const run = makeRunId('demo', new Date(), randomBytes(2).toString('hex'));
  const named = args.includes('--run-id') ? [] : ['--run-id', run];
  const command = ['run', EXPERIMENT, ...named, ...args];
  console.log(`$ npx skillpair ${command.join(' ')}`);
  const program = execa(join(ROOT, 'scripts/skillpair.mjs'), command, {
    cwd: ROOT,
    reject: false,
    stdio: 'inherit',
    forceKillAfterDelay: false,
  });
  // The program ends its trials in order and says how to go on; this one waits for that.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
  const { exitCode } = await program;
  if (named.length > 0) await tellWhereReportsAre(run);
  console.log(`demo: ${((performance.now() - started) / 1000).toFixed(1)} s in all`);
  return exitCode ?? 1;
}

async function tellWhereReportsAre(run: string): Promise<void> {
  const reports = join(ROOT, 'runs', run, 'reports');
  console.log('\nReports:');
  for (const name of (await foldersEntries(reports)).toSorted())
    console.log(`  ${relative(ROOT, join(reports, name))}`);
  console.log(`Next:\n  npx skillpair report ${run}    the same reports again, from disk alone`);
  console.log('  README.md, "A first experiment of your own"');
}

/** Names in a folder; none where it does not exist. */
async function foldersEntries(path: string): Promise<readonly string[]> {
  return await readdir(path).catch(() => []);
}

await runMain(() => demo(process.argv.slice(2)));
