import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../../src/base/lock-file.ts';
import { builtObjects } from '../../../src/cli/built-objects.ts';
import { LABEL, ownerLabels } from '../../../src/engine/engine.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';

const made = (kind: string) => ({ labels: { [LABEL.managed]: '1', [LABEL.kind]: kind } });
const signal = new AbortController().signal;

describe('what was built', () => {
  it('is what no run owns and runs make again; set-up, stand-ins and what others built on ours are left out', async () => {
    const engine = makeFakeEngine({
      images: {
        'skillpair/task:1': made('task-image'),
        'skillpair/bundle:1': made('bundle'),
        'skillpair/rootfs:bookworm': made('rootfs'),
        'skillpair/stand-in:bookworm': made('stand-in'),
        'mine/task:1': made('task-image'),
        'skillpair/unlabelled:1': {},
      },
    });
    const { objects, needed } = await builtObjects(engine, signal);
    const names = objects.map(({ name }) => name);
    expect(needed).toBeUndefined();
    expect(names.sort()).toEqual(['skillpair/bundle:1', 'skillpair/task:1']);
  });

  it('is told with the run at work that needs it', async () => {
    const engine = makeFakeEngine({ images: { 'skillpair/task:1': made('task-image') } });
    engine.networks.set('skillpair-run', { [LABEL.managed]: '1', ...ownerLabels(thisProcess()) });
    const { objects, needed } = await builtObjects(engine, signal);
    expect(objects.map(({ name }) => name)).toEqual(['skillpair/task:1']);
    expect(needed).toMatchObject({ pid: process.pid });
  });
});
