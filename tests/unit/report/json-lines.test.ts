import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../src/report/json-lines.ts';
import { capturedOutput } from '../../support/captured-output.ts';
import { EVERY_EVENT } from '../../support/run-events.ts';

const SUMMARY = {
  exitCode: 4,
  counts: { planned: 2, scored: 1, unscored: 1, byReason: { 'not-run': 1 } },
  gates: [],
  publishable: { ok: false, reasons: ['1 of 2 planned trials have no verdict'] },
  next: 'skillpair resume demo-1',
};

function lines(text: string): Record<string, unknown>[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('jsonLines', () => {
  it('begins with launch, ends with done, and hands the events through between them', () => {
    const output = capturedOutput(false);
    const reporter = jsonLines(output);
    for (const event of EVERY_EVENT) reporter.onEvent(event);
    reporter.done(SUMMARY);
    void reporter.close();
    const all = lines(output.text());
    expect(all[0]).toMatchObject({
      schema: 'skillpair/events/1',
      kind: 'launch',
      run: 'demo-1',
      planned: 2,
      toRun: 2,
    });
    expect(all.slice(1, -1)).toEqual(EVERY_EVENT);
    expect(all.at(-1)).toMatchObject({
      schema: 'skillpair/events/1',
      kind: 'done',
      exitCode: 4,
      next: 'skillpair resume demo-1',
    });
  });

  it('holds back what is built before the run is up, so that launch comes first and names the run', () => {
    const output = capturedOutput(false);
    const reporter = jsonLines(output);
    const built = EVERY_EVENT.find(({ kind }) => kind === 'build-started')!;
    const started = EVERY_EVENT.find(({ kind }) => kind === 'run-started')!;
    reporter.onEvent(built);
    reporter.onEvent(started);
    expect(lines(output.text())).toMatchObject([
      { kind: 'launch', run: 'demo-1' },
      { kind: 'build-started' },
      { kind: 'run-started' },
    ]);
  });

  it('says done without an exit code when it is closed without a summary', () => {
    const output = capturedOutput(false);
    void jsonLines(output).close();
    expect(lines(output.text())).toMatchObject([
      { kind: 'launch', run: null },
      { kind: 'done', exitCode: null },
    ]);
  });

  it('writes nothing after done', () => {
    const output = capturedOutput(false);
    const reporter = jsonLines(output);
    reporter.done(SUMMARY);
    const written = output.text();
    reporter.onEvent(EVERY_EVENT[0]!);
    void reporter.close();
    expect(output.text()).toBe(written);
  });
});
