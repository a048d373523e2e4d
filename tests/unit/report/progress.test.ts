import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lineText, progress } from '../../../src/report/progress.ts';
import { advanced, NO_PROGRESS } from '../../../src/report/run-progress.ts';
import { capturedOutput } from '../../support/captured-output.ts';
import { event, runStarted, trialEnded } from '../../support/run-events.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T21:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const started = (second: number, task: string) =>
  event(second, { kind: 'trial-started', trial: `${task}/no-skills/1/literal`, attempt: 1 });

describe('progress', () => {
  it('hides the cursor while it draws and shows it again when closed, also in the middle of a run', async () => {
    const output = capturedOutput(true);
    const reporter = progress(output);
    reporter.onEvent(runStarted(4));
    reporter.onEvent(started(0, 'A'));
    await vi.advanceTimersByTimeAsync(150);
    expect(output.text()).toContain(HIDE_CURSOR);
    await reporter.close();
    expect(output.text().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(output.text().lastIndexOf(HIDE_CURSOR));
  });

  it('draws at most ten times a second, however many events come', async () => {
    const output = capturedOutput(true);
    const reporter = progress(output);
    reporter.onEvent(runStarted(2000));
    for (let index = 0; index < 1000; index++) {
      reporter.onEvent(started(0, `T${index}`));
      reporter.onEvent(trialEnded(0, `T${index}/no-skills/1/literal`));
      await vi.advanceTimersByTimeAsync(1);
    }
    const overall = output.writes.filter((chunk) => chunk.startsWith('['));
    expect(overall.length).toBeGreaterThan(0);
    expect(overall.length).toBeLessThanOrEqual(10);
    await reporter.close();
  });

  it('moves elapsed times without an event', async () => {
    const output = capturedOutput(true);
    const reporter = progress(output);
    reporter.onEvent(runStarted(4));
    reporter.onEvent(started(0, 'A'));
    await vi.advanceTimersByTimeAsync(5_050);
    expect(output.text()).toContain('  waiting     5.0 s  A/no-skills/1/literal');
    await reporter.close();
  });

  it('keeps every line within the columns', async () => {
    const output = capturedOutput(true, 40);
    const reporter = progress(output);
    reporter.onEvent(runStarted(4));
    reporter.onEvent(started(0, 'a-task-with-a-name-that-is-quite-long'));
    await vi.advanceTimersByTimeAsync(150);
    await reporter.close();
    const drawn = output.writes.filter((chunk) => !chunk.startsWith('\u001b'));
    for (const chunk of drawn) expect(chunk.trimEnd().length).toBeLessThanOrEqual(40);
    expect(drawn.some((chunk) => chunk.endsWith('...'))).toBe(true);
  });

  it('draws nothing after it was closed', async () => {
    const output = capturedOutput(true);
    const reporter = progress(output);
    reporter.onEvent(runStarted(4));
    await reporter.close();
    const written = output.writes.length;
    reporter.onEvent(started(0, 'A'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(output.writes).toHaveLength(written);
  });
});

describe('the lines of the display', () => {
  const at = Date.parse('2026-11-29T21:02:00Z');
  const events = [
    runStarted(20),
    event(0, { kind: 'build-started', what: 'image of A' }),
    trialEnded(60, 'Z/no-skills/1/literal'),
    ...Array.from({ length: 10 }, (_, index) => started(60, `T${index}`)),
    event(61, { kind: 'phase-started', trial: 'T0/no-skills/1/literal', attempt: 1, phase: 'verify' }),
  ];
  const state = events.reduce(advanced, NO_PROGRESS);

  it('tell overall progress with the time left: 1 of 20 in 2 minutes leaves 38', () => {
    expect(lineText(0, state, at)).toBe(
      '[#-----------------------] 1/20 | ETA 38m 00s | passed 1, failed 0, unscored 0 | running 10',
    );
  });

  it('tell builds, running trials with phase and elapsed time, and how many more run', () => {
    expect(lineText(1, state, at)).toBe('building image of A');
    expect(lineText(2, state, at)).toBe('  verify     60.0 s  T0/no-skills/1/literal');
    expect(lineText(9, state, at)).toBe('  waiting    60.0 s  T7/no-skills/1/literal');
    expect(lineText(10, state, at)).toBe('  ... and 2 more');
  });

  it('tell no time left before 5 % or 10 trials are done', () => {
    expect(
      lineText(
        0,
        [runStarted(100), trialEnded(1, 'A/no-skills/1/literal')].reduce(advanced, NO_PROGRESS),
        at,
      ),
    ).not.toContain('ETA');
  });
});
