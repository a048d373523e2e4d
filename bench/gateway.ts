import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveResponder } from '../src/gateway/live/live-respond.ts';
import { startGateway } from '../src/gateway/start-gateway.ts';
import { ModelSettings } from '../src/model/model-settings.ts';
import { atMost, type Figure, median } from './support/figure.ts';
import { NODE_FLAGS } from './support/node-flags.ts';
import type { StreamOrder, StreamReading } from './support/stream-client.ts';
import { watchProcess } from './support/watch-process.ts';

const MIB = 2 ** 20;
const STREAMS = 32;
const ROUNDS = 7;
/** As fast as quick models write: 250 events a second and stream. */
const PACED = 'events=500&bytes=200&every=4';

/** What the gateway adds to a streamed answer, against the same provider asked directly, in turns. */
export async function gateway(): Promise<readonly Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-bench-gateway-'));
  const provider = started('model-provider.ts');
  const client = started('stream-client.ts');
  try {
    const [port] = (await once(provider, 'message')) as [number];
    return await measured(`http://127.0.0.1:${port}`, { client, dir });
  } finally {
    await Promise.all([ended(provider), ended(client)]);
    await rm(dir, { recursive: true, force: true });
  }
}

async function measured(
  direct: string,
  { client, dir }: { readonly client: ChildProcess; readonly dir: string },
): Promise<readonly Figure[]> {
  using live = liveResponder({ protocol: 'anthropic-messages', baseUrl: direct, key: 'sk-bench-0123456789' });
  const settings = ModelSettings.parse({
    providers: { bench: { protocol: 'anthropic-messages', baseUrl: direct, keyEnv: 'BENCH_KEY' } },
  });
  const hosts = ['127.0.0.1'];
  await using running = await startGateway({ hosts, settings, respond: () => live.respond, secrets: [] });
  await using access = running.admit({
    trial: 'bench/no-skills/1/bench',
    attempt: 1,
    configuration: 'bench',
    provider: 'bench',
    model: 'bench',
    evidenceDir: dir,
    providerTools: true,
    allowHosts: [],
  });
  const target = (base: string) => ({ base, token: access.token, client });
  const ways = { direct: target(direct), through: target(`http://127.0.0.1:${running.port}`) };

  const alone = await compare(ways, { query: 'events=1&bytes=200', at: 1, rounds: 100 });
  const together = await compare(ways, { query: PACED, at: STREAMS, rounds: ROUNDS });
  const big = await memory(ways.through, `events=1&bytes=${5 * MIB}`);
  const long = await memory(ways.through, `events=${64 * 1024}&bytes=1024`);
  const unpaced = await compare(ways, { query: `events=1024&bytes=${64 * 1024}`, at: 1, rounds: 3 });
  return [
    atMost(5, { name: 'gateway adds to the first byte, one stream', figure: alone.addedMs, unit: 'ms' }),
    { name: `  ${STREAMS} streams that begin in the same moment`, figure: together.addedMs, unit: 'ms' },
    atMost(1.05, {
      name: `${STREAMS} streams at 250 events/s each: time against a direct connection`,
      figure: together.throughMs,
      unit: 'ms',
      ratio: together.ratio,
    }),
    {
      name: '64 MiB as fast as it goes, one stream: time against a direct connection',
      figure: unpaced.throughMs,
      unit: 'ms',
      ratio: unpaced.ratio,
    },
    atMost(32, { name: 'an event of 5 MiB: memory grows by', figure: big, unit: 'MiB' }),
    atMost(32, { name: '64 MiB of stream: memory grows by', figure: long, unit: 'MiB' }),
  ];
}

interface Way {
  readonly base: string;
  readonly token: string;
  readonly client: ChildProcess;
}

/** Direct and through the gateway by turns, so that a drift of the machine hits both alike; the first round only warms up. */
async function compare(
  { direct, through }: { readonly direct: Way; readonly through: Way },
  { query, at, rounds }: { readonly query: string; readonly at: number; readonly rounds: number },
): Promise<{ readonly addedMs: number; readonly throughMs: number; readonly ratio: number }> {
  const added: number[] = [];
  const ratios: number[] = [];
  const totals: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? [direct, through] : [through, direct];
    const results = new Map<Way, StreamReading>();
    for (const way of order) results.set(way, await readings(way, query, at));
    const [one, other] = [results.get(direct) as StreamReading, results.get(through) as StreamReading];
    if (round === 0) continue;
    added.push(other.firstByteMs - one.firstByteMs);
    ratios.push(other.totalMs / one.totalMs);
    totals.push(other.totalMs);
  }
  return { addedMs: median(added), throughMs: median(totals), ratio: median(ratios) };
}

async function readings({ base, token, client }: Way, query: string, at: number): Promise<StreamReading> {
  client.send({ url: `${base}/v1/messages?${query}`, token, at } satisfies StreamOrder);
  const [reading] = (await once(client, 'message')) as [StreamReading];
  return reading;
}

/** Without a first go that would have grown the memory already. */
async function memory(way: Way, query: string): Promise<number> {
  using watch = watchProcess(5);
  await readings(way, query, 1);
  return (watch.peakBytes() - watch.startBytes) / MIB;
}

function _started(script: string): ChildProcess {
  return fork(join(import.meta.dirname, 'support', script), { execArgv: [...NODE_FLAGS] });
}

function started(script: string): ChildProcess {
  return fork(join(import.meta.dirname, 'support', script), { execArgv: [...NODE_FLAGS] });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}
