import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../../src/base/lock-file.ts';
import { clearUp, sweepDead } from '../../../src/cli/clear-up.ts';
import { EngineError, LABEL, ownerLabels } from '../../../src/engine/engine.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const DEAD = { pid: 2 ** 30, host: thisProcess().host };
const owned = (owner: Parameters<typeof ownerLabels>[0]) => ({ [LABEL.managed]: '1', ...ownerLabels(owner) });

function engineWith(networks: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const engine = makeFakeEngine();
  for (const [name, labels] of Object.entries(networks)) engine.networks.set(name, labels);
  const said: string[] = [];
  return {
    engine,
    said,
    say: (message: string) => said.push(message),
    names: () => [...engine.networks.keys()],
  };
}

describe('before a run', () => {
  it('what dead runs left is removed and told, and nothing else is touched', async () => {
    const { engine, said, say, names } = engineWith({
      'skillpair-dead': owned(DEAD),
      'skillpair-living': owned(thisProcess()),
      'skillpair-elsewhere': owned({ ...DEAD, host: 'elsewhere' }),
      'skillpair-without-labels': {},
      'skillpair-of-no-process': { [LABEL.managed]: '1' },
      'made-by-somebody-of-one-of-ours': owned(DEAD),
    });
    await sweepDead(engine, say);
    expect(names()).toEqual([
      'skillpair-living',
      'skillpair-elsewhere',
      'skillpair-without-labels',
      'skillpair-of-no-process',
      'made-by-somebody-of-one-of-ours',
    ]);
    expect(said).toEqual(['removed 1 objects that dead runs had left']);
  });

  it('an image that somebody tagged is theirs, though it has inherited the labels', async () => {
    const engine = makeFakeEngine({ images: { 'mine:debug': { labels: owned(DEAD) } } });
    await sweepDead(engine, () => undefined);
    expect(engine.images.size).toBe(1);
  });

  it('an engine that cannot say what is left does not stand in the way of the run', async () => {
    const { engine, said, say } = engineWith({});
    engine.failNext('owned', new EngineError('list owned', 'other', 'not now'));
    await sweepDead(engine, say);
    expect(said).toEqual(['could not look for what dead runs have left: list owned: not now']);
  });
});

describe('at the end of a run', () => {
  it('what nobody knew of is removed too, and what could not be removed before is forgotten once it is gone', async () => {
    const { engine, names } = engineWith({
      'skillpair-own': owned(thisProcess()),
      'skillpair-dead': owned(DEAD),
    });
    expect(await clearUp(engine, ['network skillpair-own: the engine went away'])).toEqual([]);
    expect(names()).toEqual(['skillpair-dead']);
  });

  it('what stays is named with the engine’s reason', async () => {
    const { engine } = engineWith({ 'skillpair-own': owned(thisProcess()) });
    engine.failNext('remove', new EngineError('remove network', 'other', 'in use'));
    expect(await clearUp(engine, [])).toEqual(['network skillpair-own: remove network: in use']);
  });

  it('that nobody can say what stays is told, with what was known', async () => {
    const { engine } = engineWith({});
    engine.failNext('owned', new EngineError('list owned', 'other', 'not now'));
    expect(await clearUp(engine, [])).toEqual(['it is not known what: list owned: not now']);
    engine.failNext('owned', new EngineError('list owned', 'other', 'not now'));
    expect(await clearUp(engine, ['container one: gone'])).toEqual(['container one: gone']);
  });
});
