import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Trial } from '../../../src/model/trial.ts';
import { attemptLayout, runLayout } from '../../../src/record/layout.ts';
import { textsAhead } from '../../../src/record/read-ahead.ts';
import { readRun } from '../../../src/record/read-run.ts';
import { aLock, anAttempt, scored, trialsOf, unscored } from '../../support/record-values.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A size at which every run is read by the thread. */
const ALWAYS = 0;
const NEVER = Number.POSITIVE_INFINITY;

function write(dir: string, trial: Trial, text: string, attempt = 1): string {
  const layout = attemptLayout(dir, trial, attempt);
  mkdirSync(layout.dir, { recursive: true });
  writeFileSync(layout.recordFile, text);
  return layout.recordFile;
}

async function texts(dir: string, trials: readonly Trial[], from: number) {
  const all: (string | undefined)[] = [];
  for await (const some of textsAhead(dir, trials, from)) all.push(...some);
  return all;
}

/** Four trials with a record, one with two attempts, one whose attempt has no record, and the rest never begun. */
function mixedRun(dir: string, trials: readonly Trial[]) {
  writeFileSync(runLayout(dir).runFile, JSON.stringify(aLock(trials)));
  for (const trial of trials.slice(0, 4))
    write(dir, trial, JSON.stringify(anAttempt(trial, 1, scored(true))));
  const [, , , , twice, lost] = trials as [Trial, Trial, Trial, Trial, Trial, Trial];
  write(dir, twice, JSON.stringify(anAttempt(twice, 1, unscored('runtime-lost'))), 1);
  write(dir, twice, JSON.stringify(anAttempt(twice, 2, scored(false))), 2);
  mkdirSync(attemptLayout(dir, lost, 1).agentDir, { recursive: true });
}

test('texts come in the order of the trials, however many batches they take', async () => {
  await using folder = await temporaryFolder();
  const trials = trialsOf(['a'], 225);
  for (const trial of trials) write(folder.path, trial, `${trial.id} \u00e9 \u{1f600}`);
  expect(await texts(folder.path, trials, ALWAYS)).toEqual(
    trials.map((trial) => `${trial.id} \u00e9 \u{1f600}`),
  );
});

test('nothing is said of a trial with no record, with more than one attempt, or with a file that is too big', async () => {
  await using folder = await temporaryFolder();
  const trials = trialsOf(['a', 'b', 'c'], 2);
  mixedRun(folder.path, trials);
  const [first, big] = trials as [Trial, Trial];
  write(folder.path, first, 'the first');
  write(folder.path, big, 'x'.repeat(2 ** 20));
  const [one, two, three, ...rest] = await texts(folder.path, trials, ALWAYS);
  expect([one, two]).toEqual(['the first', undefined]);
  expect(three).toMatch(/^\{.*\}$/);
  expect(rest.slice(1)).toEqual(Array(8).fill(undefined));
});

test('nothing is said of any trial where there are few', async () => {
  await using folder = await temporaryFolder();
  const trials = trialsOf(['a'], 2);
  mixedRun(folder.path, trialsOf(['a', 'b'], 2));
  expect(await texts(folder.path, trials, 5)).toEqual(Array(4).fill(undefined));
});

test('a run is the same whether it is read ahead or not', async () => {
  await using folder = await temporaryFolder();
  mixedRun(folder.path, trialsOf(['a', 'b', 'c'], 2));
  const ahead = await readRun(folder.path, ALWAYS);
  expect(ahead).toEqual(await readRun(folder.path, NEVER));
  expect(ahead.trials.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0]);
  expect(ahead.notices).toEqual([expect.stringMatching(/without a record .*: 1$/)]);
});

test.each<[string, (text: string) => string, RegExp]>([
  ['cut off', (text) => text.slice(0, -20), /not JSON/],
  ['of a field that does not exist', (text) => text.replace('{', '{"surplus":1,'), /surplus/],
  [
    'with a digest of the wrong form',
    (text) => text.replace(/("digests":\{"task":")[^"]*/, '$1sha256:no'),
    /digests\.task/,
  ],
  ['of another run', (text) => text.replace('"run":"test-run"', '"run":"other"'), /run other/],
  ['of another attempt', (text) => text.replace('"attempt":1', '"attempt":2'), /it holds attempt 2 of/],
  ['of a newer version', (text) => text.replace('"schemaVersion":1', '"schemaVersion":9'), /schemaVersion 9/],
])('a record that is read ahead and is %s is found and named', async (_, damaged, reason) => {
  await using folder = await temporaryFolder();
  const trials = trialsOf(['a', 'b', 'c'], 2);
  mixedRun(folder.path, trials);
  const second = trials[1] as Trial;
  const file = write(folder.path, second, damaged(JSON.stringify(anAttempt(second, 1, scored(true)))));
  await expect(readRun(folder.path, ALWAYS)).rejects.toMatchObject({
    problems: [{ where: { file }, message: expect.stringMatching(reason), repair: expect.any(String) }],
  });
});

test('of a damaged journal and a damaged record the journal is told, whichever was met first', async () => {
  await using folder = await temporaryFolder();
  const trials = trialsOf(['a', 'b', 'c'], 2);
  mixedRun(folder.path, trials);
  write(folder.path, trials[0] as Trial, '{');
  const { eventsFile } = runLayout(folder.path);
  writeFileSync(eventsFile, 'not an event\n');
  await expect(readRun(folder.path, ALWAYS)).rejects.toMatchObject({
    problems: [{ where: { file: eventsFile, line: 1 } }],
  });
});
