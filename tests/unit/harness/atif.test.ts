import { describe, expect, it } from 'vitest';
import { AtifTrajectory, toAtif } from '../../../src/harness/atif.ts';
import type { Trajectory } from '../../../src/model/trajectory.ts';

const COUNTS = {
  events: 6,
  unknownEvents: 0,
  toolCalls: 2,
  failedToolCalls: 1,
  droppedSteps: 0,
  clippedTexts: 0,
};
const TRAJECTORY: Trajectory = {
  schemaVersion: 1,
  harness: 'claude-code',
  version: '2.1.332',
  model: 'fake-model',
  session: 'b7c1',
  steps: [
    { kind: 'user', text: 'Do it.', at: '2026-11-29T10:00:00.000Z' },
    { kind: 'reasoning', turn: 1, text: 'I need a file.' },
    { kind: 'assistant', turn: 1, text: 'I write it.' },
    {
      kind: 'tool-call',
      turn: 1,
      call: 'a',
      name: 'Bash',
      input: { command: 'x' },
      result: 'no',
      failed: true,
    },
    { kind: 'tool-call', turn: 1, call: 'a', name: 'Bash', input: 'raw text' },
    { kind: 'assistant', turn: 2, text: 'Done.' },
  ],
  finalText: 'Done.',
  usage: { input: 2641, output: 101, cachedInput: 600, cacheWrite: 40 },
  whole: true,
  counts: COUNTS,
};

describe('a trajectory in ATIF', () => {
  it('has a step for each text with its thoughts before and its calls behind it', () => {
    expect(toAtif(TRAJECTORY)).toEqual({
      schema_version: 'ATIF-v1.8',
      session_id: 'b7c1',
      agent: { name: 'claude-code', version: '2.1.332', model_name: 'fake-model' },
      steps: [
        { step_id: 1, timestamp: '2026-11-29T10:00:00.000Z', source: 'user', message: 'Do it.' },
        {
          step_id: 2,
          source: 'agent',
          message: 'I write it.',
          reasoning_content: 'I need a file.',
          tool_calls: [
            { tool_call_id: 'a-4', function_name: 'Bash', arguments: { command: 'x' } },
            { tool_call_id: 'a-5', function_name: 'Bash', arguments: { input: 'raw text' } },
          ],
          observation: { results: [{ source_call_id: 'a-4', content: 'no', extra: { failed: true } }] },
        },
        { step_id: 3, source: 'agent', message: 'Done.' },
      ],
      final_metrics: {
        total_prompt_tokens: 2641,
        total_completion_tokens: 101,
        total_cached_tokens: 600,
        total_steps: 3,
        extra: { cache_write_tokens: 40 },
      },
      extra: { whole: true, ...COUNTS },
    });
  });

  it('begins a step of its own for a call without words before it', () => {
    const steps = TRAJECTORY.steps.filter(({ kind }) => kind === 'user' || kind === 'tool-call');
    expect(toAtif({ ...TRAJECTORY, steps })?.steps.map(({ source, message }) => [source, message])).toEqual([
      ['user', 'Do it.'],
      ['agent', ''],
    ]);
  });

  it('says that a version is unknown, since the format wants one, and leaves out what is not known', () => {
    const { version, model, session, ...bare } = TRAJECTORY;
    expect([version, model, session]).not.toContain(undefined);
    const atif = toAtif({ ...bare, usage: {} });
    expect(atif?.agent).toEqual({ name: 'claude-code', version: 'unknown' });
    expect(atif?.final_metrics).toEqual({ total_steps: 3 });
  });

  it('is none where there is no step', () => {
    expect(toAtif({ ...TRAJECTORY, steps: [] })).toBeUndefined();
  });
});

describe('the ATIF schema', () => {
  const good = toAtif(TRAJECTORY);
  const step = { step_id: 1, source: 'user', message: 'x' };
  const bad: readonly (readonly [string, object])[] = [
    ['a member that the format does not know', { made_up: 1 }],
    ['another version', { schema_version: 'ATIF-v1.7' }],
    ['no step', { steps: [] }],
    ['a step number that is left out', { steps: [{ ...step, step_id: 2 }] }],
    ['a tool call of the user', { steps: [{ ...step, tool_calls: [] }] }],
    ['a result of no call', { steps: [{ ...step, observation: { results: [{ source_call_id: 'x' }] } }] }],
    ['a negative count', { final_metrics: { total_prompt_tokens: -1 } }],
  ];
  it.each(bad)('refuses %s', (_, change) => {
    expect(AtifTrajectory.safeParse({ ...good, ...change }).success).toBe(false);
    expect(AtifTrajectory.safeParse(good).success).toBe(true);
  });
});
