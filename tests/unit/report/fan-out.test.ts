import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/model/event.ts';
import { fanOut } from '../../../src/report/fan-out.ts';
import { EVERY_EVENT } from '../../support/run-events.ts';

function listener() {
  const heard: RunEvent[] = [];
  return { heard, onEvent: (event: RunEvent) => void heard.push(event), close: () => {} };
}

const broken = () => {
  let calls = 0;
  let isClosed = false;
  return {
    calls: () => calls,
    isClosed: () => isClosed,
    onEvent() {
      calls++;
      throw new Error('disk full');
    },
    close() {
      isClosed = true;
    },
  };
};

describe('fanOut', () => {
  it('hands every event to every reporter', () => {
    const first = listener();
    const second = listener();
    const all = fanOut({ first, second });
    for (const event of EVERY_EVENT) all.onEvent(event);
    expect(first.heard).toEqual(EVERY_EVENT);
    expect(second.heard).toEqual(EVERY_EVENT);
    expect(all.faults).toEqual([]);
  });

  it('goes on without a reporter that throws, tells the others once, and remembers the cause', async () => {
    const sound = listener();
    const bad = broken();
    const all = fanOut({ bad, sound });
    for (const event of EVERY_EVENT) all.onEvent(event);
    await all.close();
    expect(bad.calls()).toBe(1);
    expect(bad.isClosed()).toBe(true);
    const notices = sound.heard.filter((event) => event.kind === 'notice').map((event) => event.message);
    expect(
      notices.filter((message) => message === 'the bad reporter broke and is off: disk full'),
    ).toHaveLength(1);
    expect(sound.heard).toHaveLength(EVERY_EVENT.length + 1);
    expect(all.faults).toMatchObject([{ reporter: 'bad', cause: { message: 'disk full' } }]);
  });

  it('survives when all reporters throw', () => {
    const all = fanOut({ one: broken(), two: broken() });
    expect(() => all.onEvent(EVERY_EVENT[0]!)).not.toThrow();
    expect(all.faults.map((fault) => fault.reporter)).toEqual(expect.arrayContaining(['one', 'two']));
    expect(all.faults).toHaveLength(2);
  });

  it('closes the rest when one rejects, and remembers that too', async () => {
    const sound = broken();
    const all = fanOut({
      bad: { onEvent: () => {}, close: () => Promise.reject(new Error('stuck')) },
      sound,
    });
    await all.close();
    expect(sound.isClosed()).toBe(true);
    expect(all.faults).toMatchObject([{ reporter: 'bad', cause: { message: 'stuck' } }]);
  });

  it('closes each reporter once, however often it is asked to', async () => {
    let closed = 0;
    const all = fanOut({ display: { onEvent: () => undefined, close: () => void closed++ } });
    await all.close();
    await all.close();
    expect(closed).toBe(1);
  });
});
