import { describe, expect, it } from 'vitest';
import { SseEvents } from '../../../../src/gateway/usage/sse-events.ts';

function read(text: string, cut: number, limit?: number): string[] {
  const found: string[] = [];
  const events = new SseEvents((data) => found.push(data.toString()), limit);
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += cut) events.push(bytes.subarray(from, from + cut));
  events.end();
  return found;
}

describe('SseEvents', () => {
  it.each([1, 2, 3, 7, 1000])('reads the same events from chunks of %i bytes', (cut) => {
    const text =
      ': hello\n\nevent: a\ndata: one\n\ndata:two\r\ndata: lines\r\n\r\n\nid: 3\ndata: ä€😀\n\ndata: last';
    expect(read(text, cut)).toEqual(['one', 'two\nlines', 'ä€😀', 'last']);
  });

  it('lets an event that is too long pass unread, and reads the next', () => {
    const text = `data: ${'x'.repeat(500)}\ndata: more\n\ndata: next\n\n`;
    expect(read(text, 10, 100)).toEqual(['next']);
  });
});
