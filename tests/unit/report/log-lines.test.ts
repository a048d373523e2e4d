import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logLines } from '../../../src/report/log-lines.ts';
import { capturedOutput } from '../../support/captured-output.ts';
import { EVERY_EVENT, event, runStarted, trialEnded } from '../../support/run-events.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T21:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('logLines', () => {
  it('writes a line per finished trial, with UTC time, outcome and how many are done', () => {
    const output = capturedOutput(false);
    const reporter = logLines(output);
    for (const one of EVERY_EVENT) reporter.onEvent(one);
    expect(output.writes).toEqual([
      '2026-11-29T21:00:00Z run demo-1 started: 2 of 2 planned trials to run\n',
      '2026-11-29T21:00:02Z built image of A in 950 ms\n',
      '2026-11-29T21:00:06Z unscored A/no-skills/1/literal in 3.0 s (runtime-lost in start: socket hang up; second line\ufffd); attempt 2 follows\n',
      '2026-11-29T21:00:07Z notice: engine is back\n',
      '2026-11-29T21:00:09Z [1/2] failed A/no-skills/1/literal in 900 ms\n',
      '2026-11-29T21:00:10Z [2/2] passed A/with-skills/1/literal in 61.2 s\n',
      '2026-11-29T21:00:11Z run demo-1 ended: done; 2 of 2 trials done, passed 1, failed 1, unscored 0, running 0\n',
    ]);
  });

  it('says nothing of images that were there, and announces a build that takes its time', async () => {
    const output = capturedOutput(false);
    const reporter = logLines(output);
    reporter.onEvent(event(0, { kind: 'build-started', what: 'image of A' }));
    reporter.onEvent(event(0, { kind: 'build-ended', what: 'image of A', durationMs: 20, cached: true }));
    reporter.onEvent(event(0, { kind: 'build-started', what: 'image of B' }));
    await vi.advanceTimersByTimeAsync(5_000);
    reporter.onEvent(event(5, { kind: 'build-ended', what: 'image of B', durationMs: 5_000, cached: false }));
    await reporter.close();
    expect(output.writes).toEqual([
      '2026-11-29T21:00:02Z build image of B\n',
      '2026-11-29T21:00:05Z built image of B in 5.0 s\n',
    ]);
  });

  it('says that a resumed run has nothing left to do', () => {
    const output = capturedOutput(false);
    const reporter = logLines(output);
    reporter.onEvent(event(0, { kind: 'run-started', run: 'demo-1', planned: 2, toRun: 0, resumed: true }));
    reporter.onEvent(event(1, { kind: 'run-ended', run: 'demo-1', reason: 'done' }));
    expect(output.writes).toEqual([
      '2026-11-29T21:00:00Z run demo-1 resumed: nothing left to do\n',
      '2026-11-29T21:00:01Z run demo-1 ended: done\n',
    ]);
  });

  it('writes no control byte but the newline', () => {
    const output = capturedOutput(false);
    const reporter = logLines(output);
    for (const one of EVERY_EVENT) reporter.onEvent(one);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(output.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('writes a summary every 60 s even when nothing changed, so that a hang is seen', async () => {
    const output = capturedOutput(false);
    const reporter = logLines(output);
    reporter.onEvent(runStarted(100));
    reporter.onEvent(event(1, { kind: 'trial-started', trial: 'A/no-skills/1/literal', attempt: 1 }));
    await vi.advanceTimersByTimeAsync(180_000);
    expect(output.writes.slice(1)).toEqual([
      '2026-11-29T21:01:00Z 0 of 100 trials done, passed 0, failed 0, unscored 0, running 1\n',
      '2026-11-29T21:02:00Z 0 of 100 trials done, passed 0, failed 0, unscored 0, running 1\n',
      '2026-11-29T21:03:00Z 0 of 100 trials done, passed 0, failed 0, unscored 0, running 1\n',
    ]);
    await reporter.close();
  });

  it('tells the time left once 5 % are done: 5 of 100 in a minute leave 19 minutes', async () => {
    const output = capturedOutput(false);
    const reporter = logLines(output);
    reporter.onEvent(runStarted(100));
    for (let index = 1; index <= 5; index++)
      reporter.onEvent(trialEnded(10, `T${index}/no-skills/1/literal`));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(output.writes.at(-1)).toContain(
      '5 of 100 trials done, passed 5, failed 0, unscored 0, running 0, about 19m 00s left',
    );
    await reporter.close();
  });
});
