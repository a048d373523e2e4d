import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/model/event.ts';
import { InputError } from '../../../src/model/problem.ts';
import type { DiskError } from '../../../src/record/disk-error.ts';
import { openJournal } from '../../../src/record/journal.ts';
import { mendJournal } from '../../../src/record/mend-journal.ts';
import { readEvents } from '../../../src/record/read-events.ts';
import { aTrial, scored } from '../../support/record-values.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const at = '2026-03-01T10:00:00.000Z';
const { id } = aTrial('one', 'no-skills');
const STARTED = { kind: 'run-started', at, run: 'r', planned: 1, toRun: 1, resumed: false } as RunEvent;
const PHASE: RunEvent = { kind: 'phase-ended', at, trial: id, attempt: 1, phase: 'agent', durationMs: 3 };
const NOTICE: RunEvent = { kind: 'notice', at, message: 'Übung: 50 % frei' };
const TRIAL: RunEvent = {
  kind: 'trial-ended',
  at,
  trial: id,
  attempt: 1,
  outcome: scored(true),
  durationMs: 5,
  final: true,
};
const ENDED = { kind: 'run-ended', at, run: 'r', reason: 'done' } as RunEvent;

function sound(error: DiskError): never {
  throw error;
}

async function problemOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof InputError ? error.problems[0] : error;
}

test('an event is in the file, on a line of its own, when append returns', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'events.jsonl');
  const journal = openJournal(path, sound);
  const after: string[][] = [];
  for (const event of [STARTED, PHASE, NOTICE]) {
    journal.append(event);
    after.push((await readFile(path, 'utf8')).split('\n'));
  }
  await journal.close();
  expect(after.map((lines) => lines.length)).toEqual([2, 3, 4]);
  expect(after[2]?.slice(0, 3).map((line) => JSON.parse(line) as unknown)).toEqual([STARTED, PHASE, NOTICE]);
});

test('opening again goes on behind what is there', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'events.jsonl');
  for (const event of [STARTED, ENDED]) {
    const journal = openJournal(path, sound);
    journal.append(event);
    await journal.close();
  }
  expect(await readEvents(path)).toEqual({ endedBy: 'done', tornBytes: 0 });
});

test('a full disk is told once, in words, and never thrown into the run', async () => {
  const told: DiskError[] = [];
  const journal = openJournal('/dev/full', (error) => told.push(error));
  for (const event of [STARTED, PHASE, TRIAL, ENDED]) journal.append(event);
  await journal.flush();
  await journal.close();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ full: true, path: '/dev/full' });
  expect(told[0]?.message).toContain('the disk is full');
  expect(told[0]?.message).toContain('resume');
});

test('a last line torn at any byte is left out with a notice, and cut off before the next event', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'events.jsonl');
  const line = (event: RunEvent) => `${JSON.stringify(event)}\n`;
  const head = Buffer.from(line(STARTED) + line(NOTICE));
  const last = Buffer.from(line(ENDED));
  for (let cut = 0; cut < last.length; cut++) {
    await writeFile(path, Buffer.concat([head, last.subarray(0, cut)]));
    const torn = await readEvents(path);
    expect(torn).toEqual({ endedBy: 'unfinished', tornBytes: cut });
    expect(await mendJournal(path)).toBe(cut);
    const journal = openJournal(path, sound);
    journal.append(ENDED);
    await journal.close();
    expect(await readEvents(path)).toMatchObject({ endedBy: 'done', tornBytes: 0 });
  }
});

test.each<[string, string]>([
  ['half a line', '{"kind":"notice","at":'],
  ['an empty line', ''],
  ['another value', '42'],
  ['an unknown kind', '{"kind":"party"}'],
  ['an event with a missing field', `{"kind":"run-ended","at":"${at}","run":"r"}`],
])('%s before the last line is an error that names file and line', async (_what, damaged) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'events.jsonl');
  await writeFile(file, [JSON.stringify(STARTED), damaged, JSON.stringify(ENDED), ''].join('\n'));
  expect(await problemOf(readEvents(file))).toMatchObject({
    severity: 'error',
    where: { file, line: 2 },
    repair: expect.stringContaining('delete this line'),
  });
});

test('a run counts as ended by its last ending, and as unfinished when it was begun again since', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'events.jsonl');
  const endings: string[] = [];
  const journal = openJournal(path, sound);
  for (const event of [STARTED, { ...ENDED, reason: 'interrupted' } as RunEvent, STARTED, ENDED]) {
    journal.append(event);
    endings.push((await readEvents(path)).endedBy);
  }
  await journal.close();
  expect(endings).toEqual(['unfinished', 'interrupted', 'unfinished', 'done']);
});

test('a journal that was never begun is an unfinished run', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'events.jsonl');
  expect(await readEvents(path)).toEqual({ endedBy: 'unfinished', tornBytes: 0 });
  expect(await mendJournal(path)).toBe(0);
});
