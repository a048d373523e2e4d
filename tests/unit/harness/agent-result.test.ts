import { describe, expect, it } from 'vitest';
import type { MainExit } from '../../../src/engine/main-process.ts';
import { agentResult } from '../../../src/harness/agent-result.ts';

function exit(exitCode: number | null, more: Partial<MainExit> = {}): MainExit {
  return { exitCode, outOfMemory: false, durationMs: 1234.5, stdoutBytes: 10, stderrBytes: 20, ...more };
}

describe('how an agent ended', () => {
  const cases: readonly (readonly [string, MainExit, string])[] = [
    ['exit code 0', exit(0), 'completed'],
    ['another exit code', exit(42), 'crashed'],
    ['exit code 125, which only the program itself can give here', exit(125), 'crashed'],
    ['a fault of its own (SIGSEGV)', exit(139), 'crashed'],
    ['137 with the out-of-memory flag', exit(137, { outOfMemory: true }), 'out-of-memory'],
    ['0 although a child ran out of memory', exit(0, { outOfMemory: true }), 'completed'],
    ['137 without that flag', exit(137), 'killed'],
    ['143', exit(143), 'killed'],
    ['a signal and no exit code', exit(null, { signal: 'SIGKILL' }), 'killed'],
    ['nothing known', exit(null), 'killed'],
    ['the time limit', exit(null, { endedBy: 'timeout' }), 'timed-out'],
    ['the time limit, answered with exit code 0', exit(0, { endedBy: 'timeout' }), 'timed-out'],
    ['the time limit, then out of memory', exit(137, { endedBy: 'timeout', outOfMemory: true }), 'timed-out'],
    ['more output than is kept', exit(null, { endedBy: 'output' }), 'out-of-space'],
    ['an interrupted run', exit(null, { endedBy: 'abort' }), 'killed'],
  ];
  it.each(cases)('is told from %s', (_, main, ending) => {
    expect(agentResult(main).ending).toBe(ending);
  });

  it('names the limit that ended it, and none where it ended by itself', () => {
    expect(agentResult(exit(null, { endedBy: 'timeout' })).limit).toBe('agent');
    expect(agentResult(exit(null, { endedBy: 'abort' })).limit).toBe('run');
    expect(agentResult(exit(null, { endedBy: 'output' })).limit).toBe('output');
    expect(agentResult(exit(null, { endedBy: 'abort' }), { isOverStorage: true })).toMatchObject({
      ending: 'out-of-space',
      limit: 'storage',
    });
    expect(agentResult(exit(1))).not.toHaveProperty('limit');
  });

  it('keeps an unknown exit code unknown and names a signal that only the code tells', () => {
    expect(agentResult(exit(null)).exitCode).toBeNull();
    expect(agentResult(exit(137))).toEqual({
      ending: 'killed',
      exitCode: 137,
      signal: 'SIGKILL',
      durationMs: 1234.5,
      stdoutBytes: 10,
      stderrBytes: 20,
    });
  });
});
