import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/model/event.ts';
import { InputError } from '../../src/model/problem.ts';
import { attemptLayout, runLayout } from '../../src/record/layout.ts';
import { readEvents } from '../../src/record/read-events.ts';
import { readRun } from '../../src/record/read-run.ts';
import { createRun } from '../../src/record/run-folder.ts';
import { aLock, anAttempt, scored, trialsOf, unscored } from '../support/record-values.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const AT = '2026-03-01T10:00:00.000Z';
const trials = trialsOf(['ant']);
const [first, second] = trials as [(typeof trials)[0], (typeof trials)[0]];
const EVENTS: readonly RunEvent[] = [
  { kind: 'run-started', at: AT, run: 'test-run', planned: 2, toRun: 2, resumed: false } as RunEvent,
  { kind: 'phase-ended', at: AT, trial: first.id, attempt: 1, phase: 'agent', durationMs: 3 },
  { kind: 'notice', at: AT, message: 'Übung' },
  { kind: 'run-ended', at: AT, run: 'test-run', reason: 'done' } as RunEvent,
];

/** Bytes in which one bit is another, bit after bit along the file; every one of them for a step of 1. */
function* flipped(bytes: Buffer, step: number): Generator<readonly [Buffer, number]> {
  for (let bit = 0; bit < bytes.length * 8; bit += step) {
    const damaged = Buffer.from(bytes);
    const place = Math.floor(bit / 8);
    damaged[place] = (damaged[place] ?? 0) ^ (1 << (bit % 8));
    yield [damaged, place];
  }
}

describe('the folder of a run', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dir: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    dir = join(folder.path, 'test-run');
    const onBroken = (error: Error) => expect.unreachable(error.message);
    await using run = await createRun({ dir, lock: aLock(trials), onBroken });
    for (const [trial, outcome] of [
      [first, scored(true)],
      [second, unscored('runtime-lost')],
    ] as const)
      await (await run.beginAttempt(trial, 1)).commit(anAttempt(trial, 1, outcome));
    for (const event of EVENTS) run.journal.append(event);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  async function problemIn(file: string, content: Uint8Array) {
    const whole = await readFile(file);
    await writeFile(file, content);
    try {
      await readRun(dir);
      return undefined;
    } catch (error) {
      return error instanceof InputError ? error.problems[0]?.where?.file : error;
    } finally {
      await writeFile(file, whole);
    }
  }
  const files = () => [
    runLayout(dir).runFile,
    ...trials.map((trial) => attemptLayout(dir, trial, 1).recordFile),
  ];

  test('a record cut at any byte but its last newline is an error that names the file', async () => {
    for (const file of files()) {
      const bytes = await readFile(file);
      for (let cut = 0; cut < bytes.length - 1; cut += 11)
        expect([cut, await problemIn(file, bytes.subarray(0, cut))]).toEqual([cut, file]);
      expect(await problemIn(file, bytes.subarray(0, -1))).toBe(file);
    }
  });

  test('a record with one other bit, wherever it is, is an error that names the file', async () => {
    for (const file of files()) {
      const bytes = await readFile(file);
      // 41 and 8 have no divisor in common: every place of a byte is met, over the file.
      for (const [damaged, place] of flipped(bytes, 41))
        expect([place, await problemIn(file, damaged)]).toEqual([place, file]);
    }
  });

  test('a record that somebody changed by hand, and that is otherwise in order, is an error', async () => {
    const { recordFile } = attemptLayout(dir, second, 1);
    const text = await readFile(recordFile, 'utf8');
    const better = text.replace('"runtime-lost"', '"start-failed"');
    expect(await problemIn(recordFile, Buffer.from(better))).toBe(recordFile);
    const unsealed = better.replace(/,\n "checksum".*/, '');
    // Without a checksum it is a record of an older version.
    expect(await problemIn(recordFile, Buffer.from(unsealed))).toBeUndefined();
  });

  test('a journal cut at any byte is whole, or has a torn end that is told', async () => {
    const file = runLayout(dir).eventsFile;
    const bytes = await readFile(file);
    const cutFile = join(folder.path, 'cut.jsonl');
    for (let cut = 0; cut <= bytes.length; cut++) {
      await writeFile(cutFile, bytes.subarray(0, cut));
      const { tornBytes } = await readEvents(cutFile);
      expect(tornBytes).toBe(cut - (bytes.subarray(0, cut).lastIndexOf(10) + 1));
    }
  });

  test('a journal with one other byte says what it said, or names file and line: it never says another end', async () => {
    const bytes = await readFile(runLayout(dir).eventsFile);
    const file = join(folder.path, 'flipped.jsonl');
    for (const [damaged] of flipped(bytes, 5)) {
      await writeFile(file, damaged);
      const reading = await readEvents(file).catch((error: unknown) => error);
      if (reading instanceof InputError) {
        const where = reading.problems[0]?.where;
        expect([where?.file, (where?.line ?? 0) > 0]).toEqual([file, true]);
      } else {
        const { endedBy, tornBytes } = reading as Awaited<ReturnType<typeof readEvents>>;
        // Only where the last newline itself is the damage is the last line a torn one.
        expect(endedBy).toBe(tornBytes === 0 ? 'done' : 'unfinished');
      }
    }
  });

  test('a line of garbage in the middle is an error, at the end without its newline a torn one', async () => {
    const file = join(folder.path, 'garbage.jsonl');
    const bytes = await readFile(runLayout(dir).eventsFile);
    await writeFile(file, bytes);
    await appendFile(file, '\0\0\0\0');
    expect(await readEvents(file)).toEqual({ endedBy: 'done', tornBytes: 4 });
    await appendFile(file, `\n${JSON.stringify(EVENTS[2])}\n`);
    const error = await readEvents(file).catch((reason: unknown) => reason);
    expect((error as InputError).problems[0]?.where).toMatchObject({ file, line: 5 });
  });
});

test('a run that an older version wrote, without checksums, is read as it was', async () => {
  const {
    lock,
    trials: read,
    notices,
    endedBy,
  } = await readRun(join(import.meta.dirname, '../golden/run-without-checksums'));
  expect([lock.run, endedBy, notices]).toEqual(['test-run', 'done', []]);
  expect(
    read.map(({ outcome }) => (outcome.kind === 'scored' ? outcome.verdict.passed : outcome.reason)),
  ).toEqual([true, 'runtime-lost']);
});
