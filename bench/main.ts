import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { prepare } from '../scripts/prepare.ts';
import { runMain, SetupFailure } from '../scripts/setup-failure.ts';
import { agentOutput } from './agent-output.ts';
import { bundleBytes } from './bundle-bytes.ts';
import { gateway } from './gateway.ts';
import { intervals } from './intervals.ts';
import { lint } from './lint.ts';
import { neighbours } from './neighbours.ts';
import { noopTrial } from './noop-trial.ts';
import { noopTrialsAtOnce } from './noop-trials-at-once.ts';
import { planOfTenThousand } from './plan-of-ten-thousand.ts';
import { reports } from './reports.ts';
import { sleepingAgents } from './sleeping-agents.ts';
import type { Figure } from './support/figure.ts';
import { NODE_FLAGS } from './support/node-flags.ts';
import { tableOf } from './support/table.ts';

interface Benchmark {
  readonly name: string;
  readonly needsEngine: boolean;
  readonly run: () => Promise<readonly Figure[]>;
}

/** In the order in which they run: the quick ones first. */
const BENCHMARKS: readonly Benchmark[] = [
  { name: 'plan', needsEngine: false, run: planOfTenThousand },
  { name: 'bundle-bytes', needsEngine: false, run: bundleBytes },
  { name: 'lint', needsEngine: false, run: lint },
  { name: 'report', needsEngine: false, run: reports },
  { name: 'intervals', needsEngine: false, run: intervals },
  { name: 'gateway', needsEngine: false, run: gateway },
  { name: 'noop-trial', needsEngine: true, run: noopTrial },
  { name: 'noop-trials-at-once', needsEngine: true, run: noopTrialsAtOnce },
  { name: 'neighbours', needsEngine: true, run: neighbours },
  { name: 'sleeping-agents', needsEngine: true, run: sleepingAgents },
  { name: 'agent-output', needsEngine: true, run: agentOutput },
];

/** `npm run bench [-- name ...] [--out file]`: runs benchmarks one after the other, each in a process of its own. */
async function bench(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string' } },
  });
  const chosen = choose(positionals);
  if (chosen.some(({ needsEngine }) => needsEngine)) await prepare();
  const results: { benchmark: string; figures: readonly Figure[] }[] = [];
  for (const { name } of chosen) {
    process.stderr.write(`${name} ...\n`);
    const figures = await inOwnProcess(name);
    // At once: a run of all of them takes a quarter of an hour, and an interrupted one has its worth.
    process.stdout.write(tableOf(figures));
    results.push({ benchmark: name, figures });
  }
  if (values.out !== undefined) {
    const host = { cpus: cpus().length, memoryBytes: totalmem() };
    await writeFile(values.out, `${JSON.stringify({ schemaVersion: 1, host, results }, undefined, 2)}\n`);
  }
  return 0;
}

function choose(names: readonly string[]): readonly Benchmark[] {
  const unknown = names.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown !== undefined) {
    const repair = `choose from: ${BENCHMARKS.map(({ name }) => name).join(', ')}`;
    throw new SetupFailure(`there is no benchmark "${unknown}"`, { repair });
  }
  return names.length === 0 ? BENCHMARKS : BENCHMARKS.filter(({ name }) => names.includes(name));
}

/** So that neither memory nor compiled code of one benchmark is counted in the next. */
function inOwnProcess(name: string): Promise<readonly Figure[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Figure[]>();
  const child = fork(import.meta.filename, ['--child', name], { execArgv: [...NODE_FLAGS] });
  let figures: readonly Figure[] | undefined;
  child.on('message', (message) => {
    figures = message as readonly Figure[];
  });
  child.on('error', reject);
  child.on('exit', (code) => {
    if (code === 0 && figures !== undefined) resolve(figures);
    else reject(new SetupFailure(`benchmark ${name} failed with exit code ${code}`, { repair: 'see above' }));
  });
  return promise;
}

async function asChild(name: string): Promise<number> {
  const [benchmark] = choose([name]);
  process.send?.(await benchmark?.run());
  process.disconnect?.();
  return 0;
}

const [first, second = ''] = process.argv.slice(2);
await runMain(() => (first === '--child' ? asChild(second) : bench(process.argv.slice(2))));
