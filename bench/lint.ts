import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { atMost, type Figure, median, timed } from './support/figure.ts';
import { writeMadeTasks } from './support/made-tasks.ts';
import { NODE_FLAGS } from './support/node-flags.ts';

const CLI = join(import.meta.dirname, '..', 'src', 'cli.ts');
const TASKS = 176;
const ROUNDS = 3;
const LIMIT_S = 5;

/** `task check --level lint` of as many tasks as the two public benchmarks have together, from the command to its end. */
export async function lint(): Promise<readonly Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-bench-lint-'));
  try {
    await writeMadeTasks(dir, TASKS);
    await check(dir);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(() => check(dir)));
    const alone = await timed(() => check(join(dir, 'task-000')));
    const all = median(rounds);
    return [
      atMost(LIMIT_S, { name: `lint of ${TASKS} tasks`, figure: all / 1000, unit: 's' }),
      { name: '  for each task', figure: (all - alone) / (TASKS - 1), unit: 'ms' },
      { name: '  of one task alone: mostly the start', figure: alone, unit: 'ms' },
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** As the launcher starts it: with compiled code from the start before. */
async function check(dir: string): Promise<void> {
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'skillpair-bench-compiled') };
  const { exitCode } = await execa(process.execPath, [...NODE_FLAGS, CLI, 'task', 'check', dir, '--json'], {
    env,
  });
  if (exitCode !== 0) throw new Error(`the made tasks have errors: exit code ${exitCode}`);
}
