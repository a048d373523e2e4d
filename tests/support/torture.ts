import { join } from 'node:path';
import { type Random, seededRandom } from '../../src/base/random.ts';
import { type DockerRig, makeDockerRig, removeTaskImages } from '../docker/run/docker-rig.ts';
import { type EngineProxy, makeEngineProxy } from './engine-proxy.ts';
import { type Ran, removeRun } from './rig.ts';
import { type KeptRun, keptRun, scoredIn, timeless } from './timeless-run.ts';
import { leftOnEngine } from './torture-traces.ts';

/** When a life of the runner ends: within the n-th file operation, around the n-th call to the engine, or after a time. */
type Moment =
  | { readonly kind: 'file'; readonly number: number }
  | { readonly kind: 'call'; readonly number: number; readonly side: 'before' | 'unanswered' | 'after' }
  | { readonly kind: 'time'; readonly ms: number };

/** What one seed came to. */
export interface TortureFinding {
  readonly seed: number;
  /** One for each kill: the moment, and what was under way. */
  readonly kills: readonly string[];
  /** What is not as it must be; empty where the run ended as if nothing had been. */
  readonly faults: readonly string[];
}

/** A run that is killed again and again, and the same run undisturbed to hold it against. */
export interface Torture extends AsyncDisposable {
  /** Kills and resumes one run as the seed says. Equal seeds kill at equal file operations and engine calls. */
  point(seed: number): Promise<TortureFinding>;
}

const RUN = 'torture';
const TASK = 'rt-torture';
/** Found again in the command lines of whatever an engine made for the build. */
const MARK = 'skillpair-torture-step';
const PRELOAD = join(import.meta.dirname, 'crash-preload.ts');
const MOST_KILLS = 3;
const CHECK =
  'if [ "$(cat /workspace/out/answer.txt)" = 42 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n';

/** Makes the project (a build, two arms, agents that pass and fail, both kinds of image work) and runs it once undisturbed. */
export async function openTorture(): Promise<Torture> {
  await using stack = new AsyncDisposableStack();
  const rig = stack.use(await makeDockerRig());
  stack.defer(() => removeTaskImages(TASK));
  const proxy = stack.use(await makeEngineProxy());
  await rig.addTask(TASK, {
    script: CHECK,
    dockerfile: `FROM skillpair/base:1\nRUN : ${MARK} && sleep 0.3\n`,
  });
  const experiment = await rig.addExperiment(
    RUN,
    `tasks: { include: [${TASK}] }\nconfigurations: [{ harness: oracle }, { harness: nop }]\nconcurrency: 2\n`,
  );
  const bench: Bench = { rig, proxy, experiment };
  const undisturbed = await measure(bench);
  const owned = stack.move();
  return {
    point: (seed) => torment(bench, undisturbed, seed),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Bench {
  readonly rig: DockerRig;
  readonly proxy: EngineProxy;
  readonly experiment: string;
}

/** What an undisturbed run comes to, and how much there is of it to be killed in. */
interface Undisturbed {
  readonly code: number | null;
  readonly run: KeptRun;
  readonly calls: number;
  readonly files: number;
  readonly ms: number;
}

async function measure(bench: Bench): Promise<Undisturbed> {
  const { rig, proxy, experiment } = bench;
  await afresh(bench);
  const before = proxy.calls.length;
  const started = performance.now();
  const counted = join(rig.dir, 'file-operations');
  const ran = await rig.run(['run', experiment, '--run-id', RUN], {
    DOCKER_HOST: proxy.address,
    NODE_OPTIONS: `--import=${PRELOAD}`,
    SKILLPAIR_CRASH_COUNT: counted,
  });
  if (ran.code !== 0) throw new Error(`the undisturbed run failed:\n${ran.stderr}`);
  const ms = performance.now() - started;
  return {
    code: ran.code,
    run: await timeless(rig, RUN),
    calls: proxy.calls.length - before,
    files: Number(await rig.read('file-operations')),
    ms,
  };
}

/** No run, and no image of its task: each seed builds anew. */
async function afresh({ rig }: Bench): Promise<void> {
  await removeRun(rig, RUN);
  await removeTaskImages(TASK);
}

async function torment(bench: Bench, undisturbed: Undisturbed, seed: number): Promise<TortureFinding> {
  const random = seededRandom(seed);
  const kills: string[] = [];
  const faults: string[] = [];
  const dead: number[] = [];
  const scored = new Map<string, string>();
  await afresh(bench);
  for (;;) {
    const moment =
      kills.length < 1 || (kills.length < MOST_KILLS && random() < 0.5)
        ? draw(random, undisturbed)
        : undefined;
    const { ran, pid } = await live(bench, moment);
    dead.push(pid);
    const now = await scoredIn(bench.rig, RUN);
    for (const [trial, bytes] of scored)
      if (now.get(trial) !== bytes) faults.push(`${trial} was run again after its verdict`);
    for (const [trial, bytes] of now) scored.set(trial, bytes);
    if (ran.signal === 'SIGKILL' && moment !== undefined) {
      kills.push(`${described(moment)} in ${await underWay(bench.rig)}`);
      continue;
    }
    if (moment !== undefined && kills.length === 0) kills.push(`${described(moment)}: ended before`);
    if (ran.code !== undisturbed.code) faults.push(`ended with ${ran.code}:\n${ran.stderr}`);
    break;
  }
  faults.push(...keptRun.differences(undisturbed.run, await timeless(bench.rig, RUN)));
  faults.push(...(await leftOnEngine({ run: RUN, owners: dead, mark: MARK })));
  return { seed, kills, faults };
}

function draw(random: Random, { calls, files, ms }: Undisturbed): Moment {
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const kind = random();
  if (kind < 0.4) return { kind: 'file', number: upTo(files) };
  if (kind > 0.8) return { kind: 'time', ms: upTo(ms) };
  const sides = ['before', 'unanswered', 'after'] as const;
  return { kind: 'call', number: upTo(calls), side: sides[Math.floor(random() * 3)] ?? 'after' };
}

function described(moment: Moment): string {
  if (moment.kind === 'file') return `file operation ${moment.number}`;
  return moment.kind === 'call' ? `engine call ${moment.number} ${moment.side}` : `${moment.ms} ms`;
}

/** One life of the runner: from the start where there is no run yet, else resumed. */
async function live(
  { rig, proxy, experiment }: Bench,
  moment: Moment | undefined,
): Promise<{ readonly ran: Ran; readonly pid: number }> {
  const begun = await rig.exists(`runs/${RUN}/run.json`);
  const running = rig.start(begun ? ['resume', RUN] : ['run', experiment, '--run-id', RUN], {
    DOCKER_HOST: proxy.address,
    ...(moment?.kind === 'file'
      ? { NODE_OPTIONS: `--import=${PRELOAD}`, SKILLPAIR_CRASH_AT: String(moment.number) }
      : {}),
  });
  const kill = () => running.kill('SIGKILL');
  const timer = moment?.kind === 'time' ? setTimeout(kill, moment.ms) : undefined;
  if (moment?.kind === 'call') killAtCall(proxy, moment, kill);
  const ran = await running.done;
  clearTimeout(timer);
  proxy.rule({});
  return { ran, pid: running.process.pid ?? 0 };
}

function killAtCall(
  proxy: EngineProxy,
  { number, side }: Extract<Moment, { kind: 'call' }>,
  kill: () => void,
): void {
  const last = proxy.calls.length + number;
  proxy.rule({
    fate: (call) => {
      if (call.number !== last || side === 'after') return 'pass';
      if (side === 'before') kill();
      return side === 'before' ? 'reset' : 'lost';
    },
    answered: (call) => {
      if (call.number !== last) return;
      if (side === 'unanswered') kill();
      else setImmediate(kill);
    },
  });
}

/** Phases that had begun and not ended, by the journal. */
async function underWay(rig: DockerRig): Promise<string> {
  const text = await rig.read(`runs/${RUN}/events.jsonl`).catch(() => '');
  const open = new Set<string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const { kind, phase, trial } = JSON.parse(line) as { kind: string; phase?: string; trial?: string };
    if (kind === 'run-started') open.clear();
    if (kind === 'phase-started') open.add(`${phase} ${trial}`);
    if (kind === 'phase-ended') open.delete(`${phase} ${trial}`);
    if (kind === 'trial-ended') for (const one of open) if (one.endsWith(` ${trial}`)) open.delete(one);
  }
  const phases = new Set([...open].map((one) => one.split(' ')[0]));
  if (phases.size > 0) return [...phases].sort().join(' and ');
  return text === '' ? 'no run yet' : 'between phases';
}
