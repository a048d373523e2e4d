import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import { blamingStarts } from '../../../src/run/blaming-starts.ts';
import type { AttemptInput, TrialServices } from '../../../src/run/trial-context.ts';
import { UnverifiableWork } from '../../../src/run/unverifiable-work.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const NOT_A_FOLDER = new EngineError(
  'create container',
  'other',
  'Cannot mkdir: /workspace is not a directory',
);
const input = {
  trial: { id: 'demo/no-skills/1' },
  attempt: 1,
  stop: new AbortController().signal,
  leftBehind: () => undefined,
} as unknown as AttemptInput;

/** Verifies with these outcomes in turn, on an engine where a container of the image starts or does not. */
async function blame(outcomes: readonly (Error | string)[], starts = true) {
  const engine = makeFakeEngine({
    images: { 'base:1': {} },
    programs: {
      '*': () => {
        if (!starts) throw new EngineError('start container', 'other', 'no container starts here');
        return {};
      },
    },
  });
  const image = await engine.image('base:1', input.stop);
  if (image === undefined) throw new Error('the fake engine has lost its image');
  const services = { engine, run: 'run', owner: { pid: 1, host: 'here' } } as unknown as TrialServices;
  const left = [...outcomes];
  const verify = async () => {
    const next = left.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  const result = await blamingStarts(services, input, { image: image.id, verify }).catch(
    (error: unknown) => error,
  );
  return { result, verified: outcomes.length - left.length };
}

describe('blamingStarts', () => {
  it('passes on what was verified', async () => {
    expect(await blame(['passed'])).toEqual({ result: 'passed', verified: 1 });
  });

  it('passes on every other failure at once', async () => {
    const lost = new EngineError('start container', 'unreachable', 'nobody answers');
    expect(await blame([lost, 'passed'])).toEqual({ result: lost, verified: 1 });
  });

  it('blames the engine where it starts nothing of the image either', async () => {
    expect(await blame([NOT_A_FOLDER, 'passed'], false)).toEqual({ result: NOT_A_FOLDER, verified: 1 });
  });

  it('takes a second go where the engine has come to itself', async () => {
    expect(await blame([NOT_A_FOLDER, 'passed'])).toEqual({ result: 'passed', verified: 2 });
  });

  it('blames the agent where the image starts and its work does not, twice', async () => {
    const { result } = await blame([NOT_A_FOLDER, NOT_A_FOLDER]);
    expect(result).toBeInstanceOf(UnverifiableWork);
    expect(result).toMatchObject({ code: 'not-startable', cause: NOT_A_FOLDER });
  });
});
