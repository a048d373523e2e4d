import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { InputError } from '../../../src/model/problem.ts';
import type { Trial } from '../../../src/model/trial.ts';
import { attemptLayout, runLayout } from '../../../src/record/layout.ts';
import { readRun } from '../../../src/record/read-run.ts';
import { aLock, anAttempt, aTrial, scored, trialsOf, unscored } from '../../support/record-values.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const trials = trialsOf(['zebra', 'ant'], 2);
const [first = aTrial('zebra', 'no-skills')] = trials;

async function write(
  dir: string,
  trial: Trial,
  record: AttemptRecord | string,
  attempt = 1,
): Promise<string> {
  const layout = attemptLayout(dir, trial, attempt);
  await mkdir(layout.dir, { recursive: true });
  await writeFile(layout.recordFile, typeof record === 'string' ? record : JSON.stringify(record));
  return layout.recordFile;
}

async function aRun() {
  const folder = await temporaryFolder();
  const dir = folder.path;
  await writeFile(runLayout(dir).runFile, JSON.stringify(aLock(trials)));
  return { dir, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

async function problemOf(dir: string) {
  const error: unknown = await readRun(dir).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof InputError ? error.problems[0] : error;
}

test('trials come in plan order with what never ran marked so', async () => {
  await using run = await aRun();
  for (const trial of [...trials].reverse().slice(2))
    await write(run.dir, trial, anAttempt(trial, 1, scored(true)));
  const record = await readRun(run.dir);
  expect(record.trials.map(({ trial }) => trial)).toEqual(trials);
  const kinds = record.trials.map(({ outcome }) => (outcome.kind === 'scored' ? 'scored' : outcome.reason));
  expect(kinds).toEqual([...Array.from({ length: 6 }, () => 'scored'), 'not-run', 'not-run']);
  expect(record.trials.at(-1)).toMatchObject({ attempts: [], counted: undefined });
  expect([record.endedBy, record.notices]).toEqual(['unfinished', []]);
});

test('records read back are equal to those written', async () => {
  await using run = await aRun();
  const written = trials.map((trial, place) =>
    anAttempt(trial, 1, place % 2 === 0 ? scored(place === 0) : unscored('verifier-error')),
  );
  for (const record of written) await write(run.dir, record.trial, record);
  const { trials: read } = await readRun(run.dir);
  expect(read.flatMap(({ attempts }) => attempts)).toEqual(written);
});

test('three unscored attempts and then a fail: the fail counts, and all four are there', async () => {
  await using run = await aRun();
  for (const attempt of [1, 2, 3])
    await write(run.dir, first, anAttempt(first, attempt, unscored('runtime-lost')), attempt);
  await write(run.dir, first, anAttempt(first, 4, scored(false)), 4);
  const [record] = (await readRun(run.dir)).trials;
  expect(record?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(record?.counted).toMatchObject({
    attempt: 4,
    outcome: { kind: 'scored', verdict: { passed: false } },
  });
});

test('a scored attempt counts before a newer unscored one, and the first scored one before a better one', async () => {
  await using run = await aRun();
  await write(run.dir, first, anAttempt(first, 1, unscored('start-failed')), 1);
  await write(run.dir, first, anAttempt(first, 2, scored(false)), 2);
  await write(run.dir, first, anAttempt(first, 3, scored(true)), 3);
  await write(run.dir, first, anAttempt(first, 10, unscored('cancelled')), 10);
  const [record] = (await readRun(run.dir)).trials;
  expect(record?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 10]);
  expect(record?.counted?.attempt).toBe(2);
});

test('without a scored attempt the last unscored one counts', async () => {
  await using run = await aRun();
  await write(run.dir, first, anAttempt(first, 1, unscored('start-failed')), 1);
  await write(run.dir, first, anAttempt(first, 2, unscored('provider-limit')), 2);
  const [record] = (await readRun(run.dir)).trials;
  expect(record?.outcome).toMatchObject({ reason: 'provider-limit' });
});

test('attempt folders without a record count for nothing and are told', async () => {
  await using run = await aRun();
  await mkdir(attemptLayout(run.dir, first, 1).agentDir, { recursive: true });
  const record = await readRun(run.dir);
  expect(record.trials[0]?.attempts).toEqual([]);
  expect(record.notices).toEqual([expect.stringMatching(/without a record .*: 1$/)]);
});

test('folders of tasks that are not planned are told', async () => {
  await using run = await aRun();
  await mkdir(join(run.dir, 'trials', 'stranger'), { recursive: true });
  expect((await readRun(run.dir)).notices).toEqual([expect.stringContaining('trials/stranger')]);
});

test.each<[string, (record: AttemptRecord) => unknown, string]>([
  ['cut short', (record) => JSON.stringify(record).slice(0, 300), 'not JSON'],
  ['empty', () => '', 'not JSON'],
  ['another value', () => [], 'expected object'],
  ['a missing outcome', ({ outcome, ...rest }) => rest, 'outcome'],
  ['an unknown key', (record) => ({ ...record, score: 1 }), 'score'],
  [
    'a reward above 1',
    (record) => ({ ...record, outcome: { kind: 'scored', verdict: { passed: true, reward: 2, tests: [] } } }),
    'outcome.verdict.reward',
  ],
  ['a newer schema', (record) => ({ ...record, schemaVersion: 2 }), 'schemaVersion 2 is not known'],
  ['another trial', () => anAttempt(aTrial('ant', 'with-skills'), 1, scored(true)), 'in the place of'],
  ['another number', (record) => ({ ...record, attempt: 2 }), 'in the place of'],
  ['another run', (record) => ({ ...record, run: 'other' }), 'in the place of'],
])(
  'a record that is damaged (%s) is an error that names the file and the fault',
  async (_what, change, reason) => {
    await using run = await aRun();
    const changed = change(anAttempt(first, 1, scored(true)));
    const file = await write(run.dir, first, typeof changed === 'string' ? changed : JSON.stringify(changed));
    expect(await problemOf(run.dir)).toMatchObject({
      message: expect.stringContaining(reason),
      where: { file },
      repair: expect.stringMatching(/resume|version/),
    });
  },
);

test('a damaged lock is an error that names run.json and the field', async () => {
  await using run = await aRun();
  const { runFile } = runLayout(run.dir);
  const text = await readFile(runFile, 'utf8');
  await writeFile(runFile, text.replace('"skillpair":"0.1.0"', '"skillpair":1'));
  expect(await problemOf(run.dir)).toMatchObject({
    message: expect.stringContaining('skillpair'),
    where: { file: runFile },
  });
});

test.each<[string, string, string]>([
  [
    'an id that does not fit its parts',
    '"id":"zebra/no-skills/1/literal"',
    '"id":"zebra/no-skills/7/literal"',
  ],
  ['a trial planned twice', '"id":"zebra/no-skills/2/literal"', '"id":"zebra/no-skills/1/literal"'],
])('%s in the plan is damage', async (_what, before, after) => {
  await using run = await aRun();
  const { runFile } = runLayout(run.dir);
  const text = (await readFile(runFile, 'utf8')).replace(before, after);
  const twice = after.includes('/1/') ? text.replace('"index":2', '"index":1') : text;
  await writeFile(runFile, twice);
  expect(await problemOf(run.dir)).toMatchObject({
    message: expect.stringMatching(/other parts|planned twice/),
    where: { file: runFile },
  });
});

test('reading is the same for every order in which the records were written', async () => {
  await using one = await aRun();
  await using other = await aRun();
  const records = trials.map((trial, place) => anAttempt(trial, 1, scored(place % 3 === 0)));
  for (const record of records) await write(one.dir, record.trial, record);
  for (const record of [...records].reverse()) await write(other.dir, record.trial, record);
  expect(await readRun(one.dir)).toEqual(await readRun(other.dir));
});
