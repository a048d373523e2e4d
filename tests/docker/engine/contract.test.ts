import { connectEngine } from '../../../src/engine/docker/connect.ts';
import { engineContract } from '../../contract/engine.contract.ts';
import { baseImage } from './base-image.ts';

engineContract('Docker', async () => {
  const engine = await connectEngine({ env: process.env });
  const { id, tag } = await baseImage(engine);
  return { engine, image: id, base: tag };
});
