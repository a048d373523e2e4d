import { describe, expect, it } from 'vitest';
import { exitState, type InspectState } from '../../../../src/engine/docker/exit-state.ts';

const NEVER = '0001-01-01T00:00:00Z';
const STARTED = '2026-03-01T10:00:00Z';

describe('the engine record of a main process', () => {
  it.each<[string, InspectState, ReturnType<typeof exitState>]>([
    ['no code before the start', { Running: false, ExitCode: null }, { kind: 'not-started' }],
    [
      'a created container, whose code the engine gives as 0',
      { Running: false, ExitCode: 0, Status: 'created', StartedAt: NEVER },
      { kind: 'not-started' },
    ],
    [
      'a container that could not be started, whose code the engine gives as 127',
      { Running: false, ExitCode: 127, Status: 'created', StartedAt: NEVER, Error: 'no such file' },
      { kind: 'not-started' },
    ],
    ['a running one, whose code the engine gives as 0', { Running: true, ExitCode: 0 }, { kind: 'running' }],
    [
      'an end by itself',
      { Running: false, ExitCode: 42 },
      { kind: 'exited', exitCode: 42, outOfMemory: false },
    ],
    [
      'an end by itself with 0',
      { Running: false, ExitCode: 0, Status: 'exited', StartedAt: STARTED },
      { kind: 'exited', exitCode: 0, outOfMemory: false },
    ],
    [
      'no code after a start',
      { Running: false, ExitCode: null, Status: 'exited', StartedAt: STARTED },
      { kind: 'killed' },
    ],
    ['137 without the memory flag', { Running: false, ExitCode: 137 }, { kind: 'killed', signal: 'SIGKILL' }],
    ['143', { Running: false, ExitCode: 143 }, { kind: 'killed', signal: 'SIGTERM' }],
    [
      '137 with the memory flag',
      { Running: false, ExitCode: 137, OOMKilled: true },
      { kind: 'out-of-memory' },
    ],
    [
      'no code with the memory flag',
      { Running: false, ExitCode: null, OOMKilled: true, Status: 'exited', StartedAt: STARTED },
      { kind: 'out-of-memory' },
    ],
    [
      'a program that failed because a child ran out of memory',
      { Running: false, ExitCode: 1, OOMKilled: true },
      { kind: 'exited', exitCode: 1, outOfMemory: true },
    ],
    [
      'a program that got over a child that ran out of memory',
      { Running: false, ExitCode: 0, OOMKilled: true },
      { kind: 'exited', exitCode: 0, outOfMemory: false },
    ],
    [
      'a program that itself exits with 125',
      { Running: false, ExitCode: 125 },
      { kind: 'exited', exitCode: 125, outOfMemory: false },
    ],
    [
      'a crash by a signal of its own',
      { Running: false, ExitCode: 139 },
      { kind: 'exited', exitCode: 139, outOfMemory: false },
    ],
  ])('tells %s', (_what, state, expected) => {
    expect(exitState(state)).toEqual(expected);
  });
});
