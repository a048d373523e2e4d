import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { claudeCodeReader } from '../../../src/harness/claude-code-reader.ts';
import { STEP_LIMIT, TrajectoryDraft } from '../../../src/harness/trajectory-draft.ts';
import { writeTrajectory } from '../../../src/harness/trajectory-files.ts';
import { agent } from './harness-reading.ts';
import { assistant, init, result, toolResult, toolUse } from './programs/claude-code-words.ts';

const END = { harness: 'x', ended: true, counts: { known: 1, unknown: 0, torn: false } };
const draft = () => new TrajectoryDraft({ called: () => undefined, answered: () => undefined });

describe('a trajectory in the making', () => {
  it('keeps the beginning and the end of a long text and says what is left out', () => {
    const made = draft();
    made.assistant(`begin${'x'.repeat(100_000)}end`);
    const { steps, counts } = made.finish(END);
    const text = steps[0]?.kind === 'assistant' ? steps[0].text : '';
    expect(text).toMatch(/^beginx+\n\[34472 characters left out\]\nx+end$/);
    expect(counts.clippedTexts).toBe(1);
  });

  it('keeps of a large input what it begins with', () => {
    const made = draft();
    made.call({ id: 'a', name: 'write', input: { content: 'y'.repeat(100_000) } });
    const [step] = made.finish(END).steps;
    const input = step?.kind === 'tool-call' ? step.input : undefined;
    expect(input).toEqual({ clipped: expect.stringMatching(/^\{"content":"yyy/) });
  });

  it('counts steps beyond its limit and keeps none of them', () => {
    const made = draft();
    for (let step = 0; step < STEP_LIMIT + 5; step++) made.user('x');
    const { steps, counts } = made.finish(END);
    expect([steps.length, counts.droppedSteps]).toEqual([20_000, 5]);
  });

  it('joins the pieces of a text until something else comes', () => {
    const made = draft();
    for (const piece of ['Hel', 'lo ', 'you']) made.assistantPiece(piece);
    expect(made.lastText).toBe('Hello you');
    made.call({ name: 'x', input: {} });
    made.assistantPiece('Done.');
    expect(made.finish(END).steps.map((step) => (step.kind === 'tool-call' ? step.name : step.text))).toEqual(
      ['Hello you', 'x', 'Done.'],
    );
  });

  it('gives an answer without an id to the oldest open call, and one with an unknown id to none', () => {
    const made = draft();
    made.call({ name: 'one', input: {} });
    made.call({ id: 'b', name: 'two', input: {} });
    expect(made.result(undefined, { text: 'first' })).toBe(true);
    expect(made.result('c', { text: 'nobody' })).toBe(false);
    expect(made.result('b', { text: 'second', failed: true })).toBe(true);
    const { steps, counts } = made.finish(END);
    expect(steps.map((step) => (step.kind === 'tool-call' ? step.result : ''))).toEqual(['first', 'second']);
    expect([counts.toolCalls, counts.failedToolCalls]).toEqual([2, 1]);
  });

  it('tells how long a tool took where both events have times, with or without a zone', () => {
    const made = draft();
    made.call({ id: 'a', name: 'x', input: {}, at: '2026-11-29T10:00:00.500000' });
    made.result('a', { text: '', at: '2026-11-29T10:00:02.000000' });
    made.call({ id: 'b', name: 'x', input: {}, at: 'yesterday' });
    made.result('b', { text: '', at: '2026-11-29T10:00:03Z' });
    const durations = made.finish(END).steps.map((step) => (step.kind === 'tool-call' ? step.durationMs : 0));
    expect(durations).toEqual([1500, undefined]);
  });
});

describe('a stream of 64 MiB', () => {
  it('is read with a few MiB of memory, and leaves small files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skillpair-large-'));
    try {
      const [stdoutPath, stderrPath] = [join(folder, 'stdout'), join(folder, 'stderr')];
      await writeFile(stderrPath, '');
      const output = 'z'.repeat(64 * 1024);
      const events = function* () {
        yield `${JSON.stringify(init())}\n`;
        for (let call = 0; call < 1024; call++) {
          yield `${JSON.stringify(toolUse(`t${call}`, 'Bash', { command: 'cat x' }))}\n`;
          yield `${JSON.stringify(toolResult(`t${call}`, `${call}${output}`))}\n`;
        }
        yield `${JSON.stringify(assistant({ type: 'text', text: 'Done.' }))}\n${JSON.stringify(result())}\n`;
      };
      await pipeline(events, createWriteStream(stdoutPath));
      const reading = await claudeCodeReader.read({
        stdoutPath,
        stderrPath,
        agent: agent('completed', 0),
        skills: [],
      });
      expect(reading.ending).toBe('completed');
      expect(reading.trajectory?.counts).toMatchObject({ toolCalls: 1024, clippedTexts: 1024, events: 2051 });
      // The texts that are kept are bounded together, whatever came in.
      expect(JSON.stringify(reading.trajectory).length).toBeLessThan(12 * 1024 * 1024);
      if (reading.trajectory !== undefined) await writeTrajectory(folder, reading.trajectory);
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);
});
