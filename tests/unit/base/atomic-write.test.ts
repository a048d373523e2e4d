import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atomicWrite } from '../../../src/base/atomic-write.ts';

it('lets several writers of one file each succeed, and leaves one whole content and nothing beside it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-atomic-'));
  try {
    const contents = Array.from({ length: 20 }, (_, at) => String(at).repeat(10_000));
    await Promise.all(contents.map((content) => atomicWrite(join(dir, 'file'), content)));
    expect(contents).toContain(await readFile(join(dir, 'file'), 'utf8'));
    expect(await readdir(dir)).toEqual(['file']);
  } finally {
    await rm(dir, { recursive: true });
  }
});
