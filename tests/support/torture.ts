import { join } from 'node:path';
import { type Random, seededRandom } from '../../src/base/random.ts';
import { type DockerRig, makeDockerRig, removeTaskImages } from '../docker/run/docker-rig.ts';
import { type EngineProxy, makeEngineProxy } from './engine-proxy.ts';
import { type Ran, removeRun } from './rig.ts';
import { differences, type KeptRun, scoredIn, timeless } from './timeless-run.ts';
import { leftOnEngine } from './torture-traces.ts';
import { underWay } from './under-way.ts';

/** When a life of the runner ends: within the n-th file operation, around the n-th call to the engine, in a build, or after a time. */
type Moment =
  | { readonly kind: 'file'; readonly number: number }
  | { readonly kind: 'call'; readonly number: number; readonly side: 'before' | 'unanswered' | 'after' }
  | { readonly kind: 'build' | 'time'; readonly ms: number };

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
/** About as long as the build of the task takes. */
const BUILD_MS = 1500;
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

interface Story {
  readonly kills: string[];
  readonly faults: string[];
  /** Every process there was. */
  readonly owners: number[];
  /** Digests of the records of what has its verdict. */
  readonly scored: Map<string, string>;
}

async function torment(bench: Bench, undisturbed: Undisturbed, seed: number): Promise<TortureFinding> {
  const random = seededRandom(seed);
  const story: Story = { kills: [], faults: [], owners: [], scored: new Map() };
  await afresh(bench);
  let moment: Moment | undefined = draw(random, undisturbed);
  let ran = await liveOn(bench, story, moment);
  while (ran.signal === 'SIGKILL') {
    const isAnother = story.kills.length < MOST_KILLS && random() < 0.5;
    moment = isAnother ? draw(random, undisturbed) : undefined;
    ran = await liveOn(bench, story, moment);
  }
  const { kills, faults, owners } = story;
  if (kills.length === 0 && moment !== undefined) kills.push(`${described(moment)}: it had ended before`);
  if (ran.code !== undisturbed.code) faults.push(`ended with ${ran.code}:\n${ran.stderr}`);
  faults.push(...differences(undisturbed.run, await timeless(bench.rig, RUN)));
  faults.push(...(await leftOnEngine({ run: RUN, owners, mark: MARK })));
  return { seed, kills, faults };
}

/** One life, and what it did to the records of those before it. */
async function liveOn(bench: Bench, story: Story, moment: Moment | undefined): Promise<Ran> {
  const { ran, pid } = await live(bench, moment);
  story.owners.push(pid);
  const now = await scoredIn(bench.rig, RUN);
  for (const [trial, digest] of story.scored)
    if (now.get(trial) !== digest) story.faults.push(`${trial} was run again after its verdict`);
  for (const [trial, digest] of now) story.scored.set(trial, digest);
  if (ran.signal === 'SIGKILL' && moment !== undefined)
    story.kills.push(`${described(moment)} in ${await underWay(bench.rig, RUN)}`);
  return ran;
}

function draw(random: Random, { calls, files, ms }: Undisturbed): Moment {
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const kind = random();
  if (kind < 0.1) return { kind: 'build', ms: upTo(BUILD_MS) };
  if (kind < 0.4) return { kind: 'file', number: upTo(files) };
  if (kind > 0.8) return { kind: 'time', ms: upTo(ms) };
  const sides = ['before', 'unanswered', 'after'] as const;
  return { kind: 'call', number: upTo(calls), side: sides[Math.floor(random() * 3)] ?? 'after' };
}

function described(moment: Moment): string {
  if (moment.kind === 'file') return `file operation ${moment.number}`;
  if (moment.kind === 'call') return `engine call ${moment.number} ${moment.side}`;
  return moment.kind === 'build' ? `${moment.ms} ms of the build` : `${moment.ms} ms`;
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
  if (moment?.kind === 'build') killInBuild(proxy, moment.ms, kill);
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
      // An attach that is lost has no answer of its own.
      if (side === 'before' || call.path.endsWith('/attach')) kill();
      return side === 'before' ? 'reset' : 'lost';
    },
    answered: (call) => {
      if (call.number !== last) return;
      if (side === 'unanswered') kill();
      else setImmediate(kill);
    },
  });
}

function killInBuild(proxy: EngineProxy, afterMs: number, kill: () => void): void {
  proxy.rule({
    fate: ({ path }) => {
      if (path === '/build') setTimeout(kill, afterMs);
      return 'pass';
    },
  });
}
