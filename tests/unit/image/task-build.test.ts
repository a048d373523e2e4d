import { expect, test } from 'vitest';
import { readTaskBuild } from '../../../src/image/task-build.ts';
import { makeFakeEngine } from '../../fakes/fake-engine.ts';
import { madeTask, temporaryFolder, writeFiles } from './made-project.ts';

test("a machine's factor lengthens the time that the task allows for its build, and changes nothing else", async () => {
  await using folder = await temporaryFolder();
  await writeFiles(folder.path, { Dockerfile: 'FROM base:1\n' });
  const { signal } = new AbortController();
  const info = await makeFakeEngine({ images: { 'base:1': {} } }).image('base:1', signal);
  if (info === undefined) throw new Error('the fake engine lacks its image');
  const resolve = async () => ({ name: 'base:1', info, original: info.id, substituted: false });
  const recipe = async (timeFactor: number) => {
    const tools = { resolve, platform: 'linux/amd64', timeFactor };
    const reading = await readTaskBuild(madeTask('demo', folder.path), tools, signal);
    return reading.ok ? reading.value.ready?.skillFree : undefined;
  };
  const plain = await recipe(1);
  expect(plain?.timeoutMs).toBe(120_000);
  expect(await recipe(2.5)).toEqual({ ...plain, timeoutMs: 300_000 });
});
