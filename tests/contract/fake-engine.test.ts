import { makeFakeEngine } from '../fakes/fake-engine.ts';
import { CONTRACT_PROGRAMS, engineContract } from './engine.contract.ts';

engineContract('the fake engine', async () => {
  const engine = makeFakeEngine({ images: { 'base:1': {} }, programs: CONTRACT_PROGRAMS });
  const [image] = [...engine.images.keys()];
  if (image === undefined) throw new Error('the fake has no image');
  return { engine, image, base: 'base:1' };
});
