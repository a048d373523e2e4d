import { expect, it } from 'vitest';
import { withModels } from '../../../src/cli/with-models.ts';
import type { RunResult } from '../../../src/run/run-experiment.ts';

const DONE: RunResult = { reason: 'done', leftBehind: ['container a'], failure: undefined };

async function runWith(close: (leftBehind: (what: string) => void) => Promise<void>, run = async () => DONE) {
  const said: string[] = [];
  const result = withModels({
    open: async (leftBehind) => ({ [Symbol.asyncDispose]: () => close(leftBehind) }),
    run,
    say: (message) => said.push(message),
  });
  return { result, said };
}

it('what of the models cannot be removed is in the result, after what trials left, and in the journal', async () => {
  const { result, said } = await runWith(async (leftBehind) => leftBehind('network n: busy'));
  expect(await result).toEqual({ ...DONE, leftBehind: ['container a', 'network n: busy'] });
  expect(said).toEqual(['could not remove network n: busy']);
});

it('models that break while they are closed leave the run its result', async () => {
  const { result, said } = await runWith(() => Promise.reject(new Error('the engine went away')));
  const what = 'what led to the model gateway: the engine went away';
  expect(await result).toEqual({ ...DONE, leftBehind: ['container a', what] });
  expect(said).toEqual([`could not remove ${what}`]);
});

it('a run without models has its own result', async () => {
  const said: string[] = [];
  const result = await withModels({
    open: async () => undefined,
    run: async () => DONE,
    say: (message) => said.push(message),
  });
  expect(result).toEqual(DONE);
  expect(said).toEqual([]);
});

it('models are closed once, also where the run breaks', async () => {
  let closed = 0;
  const close = async () => void closed++;
  const broken = await runWith(close, () => Promise.reject(new Error('disk full')));
  await expect(broken.result).rejects.toThrow('disk full');
  expect(closed).toBe(1);
  await (await runWith(close)).result;
  expect(closed).toBe(2);
});
