import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../../../src/base/lock-file.ts';
import { InputError } from '../../../src/model/problem.ts';
import type { DiskError } from '../../../src/record/disk-error.ts';
import { createRun, openRun, refuseOccupied } from '../../../src/record/run-folder.ts';
import { aLock, anAttempt, aTrial, scored, trialsOf } from '../../support/record-values.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const lock = aLock(trialsOf(['one', 'two']));
const trial = aTrial('one', 'with-skills');
const onBroken = (error: DiskError) => expect.unreachable(error.message);

async function refusal(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof InputError ? error.problems[0] : error;
}

test('a new run has its lock on disk, whole and unchanged', async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, 'runs', 'test-run');
  await using run = await createRun({ dir, lock, onBroken });
  const { checksum, ...written } = JSON.parse(await readFile(join(dir, 'run.json'), 'utf8'));
  expect([written, checksum]).toEqual([lock, expect.stringMatching(/^crc32:[0-9a-f]{8}$/)]);
  expect(run.dir).toBe(dir);
});

test('a run that exists is not made again, and the way to go on is named', async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, 'test-run');
  await (await createRun({ dir, lock, onBroken }))[Symbol.asyncDispose]();
  expect(await refusal(createRun({ dir, lock, onBroken }))).toMatchObject({
    message: 'run test-run exists already',
    repair: expect.stringContaining('skillpair resume test-run'),
  });
});

test('a folder with something else in it is not touched', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'thesis.txt'), 'mine');
  expect(await refusal(createRun({ dir: folder.path, lock, onBroken }))).toMatchObject({
    message: expect.stringContaining('is not empty'),
  });
  expect(await readdir(folder.path)).toEqual(['thesis.txt']);
});

test('a file where the folder of runs should be is told with the way round it', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'runs'), '');
  expect(await refusal(refuseOccupied(join(folder.path, 'runs', 'test-run')))).toMatchObject({
    message: expect.stringContaining('is a file'),
    repair: expect.stringContaining('--runs'),
  });
});

test('a folder whose runner was killed before the lock was whole is used', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'run.json.4711.tmp'), '{"half":');
  await writeFile(join(folder.path, 'owner.lock'), '{"pid":');
  await using run = await createRun({ dir: folder.path, lock, onBroken });
  expect(run.lock).toEqual(lock);
});

test('two runners cannot have one folder', async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, 'test-run');
  const first = await createRun({ dir, lock, onBroken });
  expect(await refusal(openRun({ dir, onBroken }))).toMatchObject({
    message: expect.stringContaining(`process ${process.pid}`),
    where: { file: join(dir, 'owner.lock') },
  });
  expect(await refusal(createRun({ dir, lock, onBroken }))).toMatchObject({
    message: expect.stringContaining(`process ${process.pid}`),
  });
  await first[Symbol.asyncDispose]();
  await using second = await openRun({ dir, onBroken });
  expect(second.lock).toEqual(lock);
});

test('of many that find the lock of a dead process, exactly one takes it over', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'owner.lock');
  for (let round = 0; round < 20; round++) {
    // A process number beyond the system's largest: nobody has it.
    await writeFile(path, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(path)));
    const held = all.filter((one) => one.status === 'fulfilled');
    expect(held).toHaveLength(1);
    await held[0]?.value[Symbol.asyncDispose]();
    expect(await readdir(folder.path)).toEqual([]);
  }
});

test('a disk that refuses the folder of a run is told by path', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'runs'), 'a file where a folder should be');
  const dir = join(folder.path, 'runs', 'test-run');
  const error: unknown = await createRun({ dir, lock, onBroken }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'DiskError', path: dir });
});

test('a folder without run.json is no run', async () => {
  await using folder = await temporaryFolder();
  expect(await refusal(openRun({ dir: folder.path, onBroken }))).toMatchObject({
    message: expect.stringContaining('run.json is missing'),
    where: { file: join(folder.path, 'run.json') },
  });
});

test('an attempt exists when its record is committed, with its evidence beside it', async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, 'test-run');
  await using run = await createRun({ dir, lock, onBroken });
  const go = await run.beginAttempt(trial, 1);
  expect(go.dir).toBe(join(dir, 'trials/one/with-skills/1/literal/1'));
  await writeFile(join(go.dir, 'agent', 'stdout.txt'), 'hello');
  expect(existsSync(join(go.dir, 'attempt.json'))).toBe(false);
  const record = anAttempt(trial, 1, scored(true));
  await go.commit(record);
  const { checksum, ...written } = JSON.parse(await readFile(join(go.dir, 'attempt.json'), 'utf8'));
  expect([written, checksum]).toEqual([record, expect.stringMatching(/^crc32:[0-9a-f]{8}$/)]);
  expect((await readdir(go.dir)).sort()).toEqual(['agent', 'attempt.json', 'verifier']);
});

test('an attempt number is used once', async () => {
  await using folder = await temporaryFolder();
  await using run = await createRun({ dir: join(folder.path, 'test-run'), lock, onBroken });
  const go = await run.beginAttempt(trial, 1);
  await expect(run.beginAttempt(trial, 1)).rejects.toThrow('has begun already');
  await go.commit(anAttempt(trial, 1, scored(true)));
  await expect(run.beginAttempt(trial, 1)).rejects.toThrow('has begun already');
  await expect(go.commit(anAttempt(trial, 1, scored(false)))).rejects.toThrow('is closed');
});

test('a discarded attempt never was, and a committed one cannot be discarded', async () => {
  await using folder = await temporaryFolder();
  await using run = await createRun({ dir: join(folder.path, 'test-run'), lock, onBroken });
  const first = await run.beginAttempt(trial, 1);
  await first.discard();
  expect(existsSync(first.dir)).toBe(false);
  const again = await run.beginAttempt(trial, 1);
  await again.commit(anAttempt(trial, 1, scored(true)));
  await again.discard();
  expect(existsSync(join(again.dir, 'attempt.json'))).toBe(true);
});

test('the record of another attempt, or one that could not be read back, is not written', async () => {
  await using folder = await temporaryFolder();
  await using run = await createRun({ dir: join(folder.path, 'test-run'), lock, onBroken });
  const go = await run.beginAttempt(trial, 1);
  const right = anAttempt(trial, 1, scored(true));
  await expect(go.commit({ ...right, attempt: 2 })).rejects.toThrow('was given the record of attempt 2');
  await expect(go.commit(anAttempt(trial, 1, scored(true), 'other-run'))).rejects.toThrow('other-run');
  await expect(go.commit({ ...right, durationMs: -1 })).rejects.toThrow('durationMs');
  expect(existsSync(join(go.dir, 'attempt.json'))).toBe(false);
  await go.commit(right);
  expect(existsSync(join(go.dir, 'attempt.json'))).toBe(true);
});

test('a disk that refuses a record is told by path', async () => {
  await using folder = await temporaryFolder();
  await using run = await createRun({ dir: join(folder.path, 'test-run'), lock, onBroken });
  const go = await run.beginAttempt(trial, 1);
  await rm(go.dir, { recursive: true });
  const error: unknown = await go
    .commit(anAttempt(trial, 1, scored(true)))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'DiskError', full: false, path: join(go.dir, 'attempt.json') });
});

test('attempts that a killed runner left without a record are removed on opening, and told', async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, 'test-run');
  {
    await using run = await createRun({ dir, lock, onBroken });
    await (await run.beginAttempt(trial, 1)).commit(anAttempt(trial, 1, scored(true)));
    const killed = await run.beginAttempt(aTrial('two', 'no-skills'), 1);
    await writeFile(join(killed.dir, 'attempt.json.99.tmp'), '{"half":');
  }
  await mkdir(join(dir, 'reports'));
  await using run = await openRun({ dir, onBroken });
  expect(run.notices).toEqual([expect.stringMatching(/killed runner .*: 1$/)]);
  expect(existsSync(join(dir, 'trials/one/with-skills/1/literal/1/attempt.json'))).toBe(true);
  const again = await run.beginAttempt(aTrial('two', 'no-skills'), 1);
  expect(await readdir(again.dir)).toEqual(['agent', 'verifier']);
});
