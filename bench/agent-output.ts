import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { attemptLayout } from '../src/record/layout.ts';
import { atMost, type Figure } from './support/figure.ts';
import { makeTrialRig } from './support/trial-rig.ts';
import { watchProcess } from './support/watch-process.ts';
import { withAgent } from './support/with-agent.ts';

const MIB = 2 ** 20;
const BYTES = 64 * MIB;
const LINE = '0123456789abcdefghijklmnopqrstu\n';
const ROUNDS = 3;

/**
 * An agent that writes 64 MiB: how far the runner's memory grows, at worst of a few rounds, and whether every byte is on the disk.
 * The growth counts from a runner that has just run a trial without output.
 */
export async function agentOutput(): Promise<readonly Figure[]> {
  const script = `yes ${LINE.trim()} | head -c ${BYTES}`;
  await using rig = await makeTrialRig({ adapt: withAgent(script, 600_000), warmUp: false });
  await using silent = await makeTrialRig();
  const [trial] = rig.pair;
  const growths: number[] = [];
  const buffers: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await silent.run([trial], 1);
    using watch = watchProcess(20);
    await rig.run([trial], 1);
    growths.push((watch.peakBytes() - watch.startBytes) / MIB);
    buffers.push(watch.peakBufferBytes() / MIB);
  }
  const path = join(attemptLayout(rig.folder.dir, trial, rig.attempts()).agentDir, 'stdout.log');
  const { size } = await stat(path);
  if (size !== BYTES) throw new Error(`${path} has ${size} bytes instead of ${BYTES}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== expectedHash()) throw new Error(`${path} has the right size and wrong bytes`);
  return [
    atMost(32, {
      name: "64 MiB of agent output: runner's memory grows by",
      figure: Math.max(...growths),
      unit: 'MiB',
    }),
    { name: '  held in buffers at most', figure: Math.max(...buffers), unit: 'MiB' },
    { name: '  on disk, hash compared', figure: size, unit: 'bytes' },
  ];
}

function expectedHash(): string {
  const block = Buffer.from(LINE.repeat(MIB / LINE.length));
  const hash = createHash('sha256');
  for (let mib = 0; mib < BYTES / MIB; mib++) hash.update(block);
  return hash.digest('hex');
}
