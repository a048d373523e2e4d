import { existsSync } from 'node:fs';
import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../src/base/random.ts';
import { InputError } from '../../src/model/problem.ts';
import type { RunRecord } from '../../src/model/run-record.ts';
import { runLayout } from '../../src/record/layout.ts';
import { readRun } from '../../src/record/read-run.ts';
import { openRun } from '../../src/record/run-folder.ts';
import { drive, startDriver } from '../support/drive.ts';
import type { DriverOrder } from '../support/record-driver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function orderIn(path: string): DriverOrder {
  return { dir: join(path, 'run'), log: join(path, 'log'), concurrency: 2, retryUnscored: false };
}

async function undisturbed(): Promise<RunRecord> {
  await using folder = await temporaryFolder();
  const order = orderIn(folder.path);
  await drive(order);
  return readRun(order.dir);
}

/** Lives of the runner, each killed at a random moment, until one comes to the end. Returns how many were killed. */
async function throughKills(
  order: DriverOrder,
  life: (random: Random) => Promise<'ended' | 'killed'>,
  seed: number,
) {
  const random = seededRandom(seed);
  let kills = 0;
  while ((await life(random)) === 'killed') kills++;
  return { kills, record: await readRun(order.dir) };
}

/** Trials that were begun although a scored attempt was already told. */
async function begunAfterScored(log: string): Promise<string[]> {
  const scored = new Set<string>();
  const again: string[] = [];
  for (const line of (await readFile(log, 'utf8')).split('\n')) {
    const [what, id = ''] = line.split(' ');
    if (what === 'scored') scored.add(id);
    if (what === 'begin' && scored.has(id)) again.push(id);
  }
  return again;
}

test('an undisturbed run has 54 scored and 6 unscored trials, with its further attempts visible', async () => {
  const { trials, endedBy, notices } = await undisturbed();
  const count = (kind: string) => trials.filter(({ outcome }) => outcome.kind === kind).length;
  expect([trials.length, count('scored'), count('unscored')]).toEqual([60, 54, 6]);
  // 5 scored at the second attempt, 4 lost two, all others one: 60 + 5 + 4.
  expect(trials.flatMap(({ attempts }) => attempts)).toHaveLength(69);
  expect([endedBy, notices]).toEqual(['done', []]);
});

test.each([1, 2])(
  'killed again and again within file operations, the run ends as if nothing had been (%i)',
  async (seed) => {
    await using folder = await temporaryFolder();
    const order = orderIn(folder.path);
    const life = (random: Random) => drive({ ...order, crashAt: 1 + Math.floor(random() * 80) });
    const { kills, record } = await throughKills(order, life, seed);
    expect(kills).toBeGreaterThan(20);
    expect(record).toEqual(await undisturbed());
    expect(await begunAfterScored(order.log)).toEqual([]);
    expect(existsSync(runLayout(order.dir).ownerFile)).toBe(false);
  },
);

test('killed from outside at random moments, the run ends as if nothing had been', async () => {
  await using folder = await temporaryFolder();
  const order = orderIn(folder.path);
  const { kills, record } = await throughKills(
    order,
    (random) => drive(order, 1 + Math.floor(random() * 12)),
    4,
  );
  expect(kills).toBeGreaterThan(5);
  expect(record).toEqual(await undisturbed());
  expect(await begunAfterScored(order.log)).toEqual([]);
});

test('after an interrupt, retrying the unscored runs the six unscored and the four not run, and no other', async () => {
  await using folder = await temporaryFolder();
  const order = orderIn(folder.path);
  await drive({ ...order, most: 56 });
  const before = await readRun(order.dir);
  const reasons = before.trials.map(({ outcome }) => (outcome.kind === 'scored' ? 'scored' : outcome.reason));
  expect(before.endedBy).toBe('interrupted');
  expect(reasons.filter((reason) => reason === 'not-run')).toHaveLength(4);
  expect(reasons.filter((reason) => reason !== 'not-run' && reason !== 'scored')).toHaveLength(6);
  const retried = { ...order, retryUnscored: true, log: join(folder.path, 'log-2') };
  await drive(retried);
  const begun = new Set(
    (await readFile(retried.log, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('begin'))
      .map((line) => line.split(' ')[1]),
  );
  const expected = before.trials
    .filter(({ outcome }) => outcome.kind === 'unscored')
    .map(({ trial }) => trial.id);
  expect(begun).toEqual(new Set(expected));
  const after = await readRun(order.dir);
  expect(after.trials.every(({ outcome }) => outcome.kind === 'scored')).toBe(true);
  const thirds = after.trials.filter(({ counted }) => counted?.attempt === 3);
  expect(thirds).toHaveLength(4);
});

test('a second runner is refused with the process that holds the folder, and let in when that was killed', async () => {
  await using folder = await temporaryFolder();
  const order = orderIn(folder.path);
  await drive({ ...order, most: 1 });
  const holder = startDriver({ ...order, hold: true });
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  const open = () => openRun({ dir: order.dir, onBroken: (error) => expect.unreachable(error.message) });
  const refused: unknown = await open().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as InputError).message).toContain(`process ${holder.pid}`);
  const gone = new Promise((resolve) => holder.once('close', resolve));
  holder.kill('SIGKILL');
  await gone;
  await using reopened = await open();
  expect(reopened.lock.run).toBe('test-run');
});

test('a journal cut in its last line by a crash of the machine resumes to the same end', async () => {
  await using folder = await temporaryFolder();
  const order = orderIn(folder.path);
  await drive({ ...order, most: 20 });
  const { eventsFile } = runLayout(order.dir);
  await truncate(eventsFile, (await readFile(eventsFile)).length - 17);
  expect((await readRun(order.dir)).notices).toEqual([expect.stringContaining('torn line')]);
  await drive(order);
  expect(await readRun(order.dir)).toEqual(await undisturbed());
});
