import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunEvent } from '../../src/model/event.ts';
import { fanOut } from '../../src/report/fan-out.ts';
import { jsonLines } from '../../src/report/json-lines.ts';
import { logLines } from '../../src/report/log-lines.ts';
import { progress } from '../../src/report/progress.ts';
import type { Reporter, ReportOutput } from '../../src/report/reporter.ts';
import { capturedOutput } from '../support/captured-output.ts';
import { EVERY_EVENT } from '../support/run-events.ts';

const reporters: Record<string, (output: ReportOutput) => Reporter> = {
  'log lines': logLines,
  'json lines': jsonLines,
  progress,
  'fan-out': (output) => fanOut({ log: logLines(output), json: jsonLines(output) }),
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T21:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the events of the contract', () => {
  it('are of every kind there is', () => {
    const kinds = RunEvent.options.map((option) => option.shape.kind.value);
    expect(new Set(EVERY_EVENT.map((event) => event.kind))).toEqual(new Set(kinds));
  });
});

describe.each(Object.entries(reporters))('every reporter: %s', (_name, make) => {
  it('takes every event and writes something', async () => {
    const output = capturedOutput(true);
    const reporter = make(output);
    for (const event of EVERY_EVENT) reporter.onEvent(event);
    await vi.advanceTimersByTimeAsync(200);
    await reporter.close();
    expect(output.text()).not.toBe('');
  });

  it('takes events in any order without throwing', async () => {
    const reporter = make(capturedOutput(true));
    for (const event of EVERY_EVENT.toReversed()) expect(() => reporter.onEvent(event)).not.toThrow();
    await reporter.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind when it is closed in the middle of a run, or before it began', async () => {
    for (const events of [EVERY_EVENT.slice(0, 5), []]) {
      const reporter = make(capturedOutput(true));
      for (const event of events) reporter.onEvent(event);
      await reporter.close();
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});
