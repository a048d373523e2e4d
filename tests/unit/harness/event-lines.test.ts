import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventLines, LINE_LIMIT } from '../../../src/harness/event-lines.ts';

async function linesOf(content: string | Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), 'skillpair-lines-'));
  try {
    await writeFile(join(folder, 'stream'), content);
    return await Array.fromAsync(eventLines(join(folder, 'stream')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the lines of a stream on disk', () => {
  it('are whole, with the last one torn where it has no newline', async () => {
    expect(await linesOf('a\n\nb')).toEqual([
      { text: 'a', torn: false },
      { text: '', torn: false },
      { text: 'b', torn: true },
    ]);
    expect(await linesOf('')).toEqual([]);
  });

  it('keep characters that lie across the borders of chunks', async () => {
    const text = `${'x'.repeat(65_535)}한 ok`;
    expect((await linesOf(`${text}\n`)).map((line) => line.text)).toEqual([text]);
  });

  it('are cut at their limit, and the line after is whole', async () => {
    const lines = await linesOf(`${'y'.repeat(LINE_LIMIT + 100_000)}\nnext\n`);
    expect(lines.map((line) => line.text.length)).toEqual([16_777_216, 4]);
  });
});
