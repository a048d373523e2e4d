import type { Project } from '../src/model/project.ts';
import type { Trial } from '../src/model/trial.ts';
import { type Figure, median, timed } from './support/figure.ts';
import { makeTrialRig } from './support/trial-rig.ts';
import { withAgent } from './support/with-agent.ts';

const ROUNDS = 5;
const MIB = 2 ** 20;
const LONGEST_MS = 120_000;

/** One core for a second or two, as an agent's programs take it. */
const WORK = 'i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done';

/** What agents beside it do, each under the limits of a small task: one CPU, 256 MiB, 256 processes, 1 GiB of storage. */
const NEIGHBOURS: Readonly<Record<string, string>> = {
  'one that works as it does': WORK,
  'a fork bomb': 'bomb() { bomb | bomb & }; bomb 2>/dev/null; exec sleep 5',
  'one that takes all memory': 'exec tail /dev/zero',
  'one that fills its disk': 'exec cat /dev/zero > /workspace/fill',
  'one that floods its output': 'timeout 5 yes; exit 0',
  'one that makes 30,000 files': 'mkdir m; cd m; i=0; while [ $i -lt 30000 ]; do : > $i; i=$((i + 1)); done',
};

/** How long a trial whose agent works takes beside hostile ones, over its time alone; rounds alternate, so that drift hits both. */
export async function neighbours(): Promise<readonly Figure[]> {
  await using steady = await makeTrialRig({ adapt: withAgent(WORK, LONGEST_MS) });
  const once = () => timed(() => steady.run([steady.pair[0]], 1));
  const figures: Figure[] = [];
  for (const [name, script] of Object.entries(NEIGHBOURS)) {
    await using rig = await makeTrialRig({ adapt: hostile(script), warmUp: false });
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await once());
      beside.push(await besides(rig.pair[0], rig.run, once));
    }
    const figure = median(beside);
    figures.push({ name: `a trial beside ${name}`, figure, unit: 'ms', ratio: figure / median(alone) });
  }
  return figures;
}

/** Measures while trials of the neighbour follow one another. */
async function besides(
  trial: Trial,
  run: (trials: readonly Trial[], concurrency: number) => Promise<unknown>,
  measured: () => Promise<number>,
): Promise<number> {
  const state = { isOver: false };
  const noise = (async () => {
    while (!state.isOver) await run([trial], 1);
  })();
  try {
    return await measured();
  } finally {
    state.isOver = true;
    await noise;
  }
}

function hostile(script: string): (project: Project) => Project {
  const adapted = withAgent(script, LONGEST_MS);
  return (project) => {
    const changed = adapted(project);
    const limited = changed.tasks.map((task) => ({
      ...task,
      environment: { ...task.environment, storageBytes: 1024 * MIB },
    }));
    return { ...changed, tasks: limited };
  };
}
