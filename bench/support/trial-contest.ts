import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Trial } from '../../src/model/trial.ts';
import { makeCallRecorder, type RecordedCall } from './call-recorder.ts';
import { timed } from './figure.ts';
import { floorTrial } from './floor-trial.ts';
import { ThinClient } from './thin-client.ts';
import { makeTrialRig, type TrialRig } from './trial-rig.ts';

/** Two ways through the same trials: the product, and the calls that the product made, by the thinnest client. */
export interface TrialContest extends AsyncDisposable {
  /** Engine calls of one pair. */
  readonly calls: number;
  /** Milliseconds for so many trials at once, half of them with Skills; ours and the floor's, in that order or the other. */
  round(atOnce: number): Promise<{ readonly ours: number; readonly floor: number }>;
}

/** The engine's socket; recording needs one. */
export function engineSocket(): string {
  const host = process.env.DOCKER_HOST ?? '';
  if (host !== '' && !host.startsWith('unix://')) {
    throw new Error('these benchmarks need an engine at a unix socket: DOCKER_HOST names something else');
  }
  return host === '' ? '/var/run/docker.sock' : host.slice('unix://'.length);
}

/** Records one trial of each arm, then stands ready for rounds. */
export async function makeTrialContest(): Promise<TrialContest> {
  await using stack = new AsyncDisposableStack();
  const recorded = await recordPair();
  const rig = stack.use(await makeTrialRig());
  const client = new ThinClient(engineSocket());
  let rounds = 0;
  const owned = stack.move();
  return {
    calls: recorded.reduce((sum, calls) => sum + calls.length, 0),
    round: async (atOnce) => {
      rounds++;
      const trials = Array.from({ length: atOnce }, (_, place) => rig.pair[(place + rounds) % 2] as Trial);
      const ours = () => timed(() => rig.run(trials, atOnce));
      const floor = () =>
        timed(() =>
          Promise.all(
            trials.map((trial, place) => {
              const calls = recorded[rig.pair.indexOf(trial)] ?? [];
              return floorTrial(client, calls, `${rig.folder.lock.run}-${rounds}-${place}`);
            }),
          ),
        );
      // Which one goes first alternates by pairs of rounds, so that a drift of the machine hits both alike.
      if (rounds % 4 < 2) return { ours: await ours(), floor: await floor() };
      const first = await floor();
      return { ours: await ours(), floor: first };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function recordPair(): Promise<RecordedCall[][]> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-bench-calls-'));
  try {
    await using recorder = await makeCallRecorder(join(dir, 'engine.sock'), engineSocket());
    await using rig: TrialRig = await makeTrialRig({ dockerHost: recorder.address });
    recorder.take();
    const recorded: RecordedCall[][] = [];
    for (const trial of rig.pair) {
      await rig.run([trial], 1);
      recorded.push(recorder.take());
    }
    return recorded;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
