import { describe, expect, it } from 'vitest';
import { readScriptVerdict } from '../../../src/verifier/script-report.ts';
import { ended, faultOf, reportFiles, verifierSpec } from './verifier-input.ts';

const CTRF = JSON.stringify({
  results: {
    tool: { name: 'pytest' },
    tests: [
      { name: 'test_a', status: 'passed', duration: 12, extra: true },
      { name: 'test_b', status: 'failed', duration: 3, message: 'no', trace: 'line 1' },
      { name: 'test_c', status: 'pending' },
    ],
  },
});

function read(texts: Readonly<Record<string, string>>, outputTail = '', exit = ended(0)) {
  return readScriptVerdict({ spec: verifierSpec(), exit, files: reportFiles(texts), nonce: 'n', outputTail });
}

describe('the verdict of a script verifier', () => {
  it('is passed at reward 1 and at nothing below, and keeps the reward as written', () => {
    expect(read({ 'reward.txt': '1.000' })).toEqual({
      passed: true,
      reward: 1,
      rewardText: '1.000',
      tests: [],
    });
    expect(read({ 'reward.txt': '0.999' })).toMatchObject({ passed: false, reward: 0.999 });
  });

  it('does not depend on the exit code', () => {
    expect(read({ 'reward.txt': '1' }, '', ended(1)).passed).toBe(true);
    expect(read({ 'reward.txt': '0' }, '', ended(0)).passed).toBe(false);
  });

  it('carries the checks of every CTRF file', () => {
    const verdict = read({ 'reward.txt': '0', 'ctrf.json': CTRF, 'ctrf_lib.json': CTRF });
    expect(verdict.tests).toHaveLength(6);
    expect(verdict.tests.slice(0, 3)).toEqual([
      { name: 'test_a', status: 'passed', durationMs: 12 },
      { name: 'test_b', status: 'failed', message: 'no\n\nline 1', durationMs: 3 },
      { name: 'test_c', status: 'skipped' },
    ]);
  });

  it.each([
    // Both with start and stop in seconds, as pytest-json-ctrf 0.3.5 and 0.3.6 write them.
    ['seconds', { duration: 2.5, start: 1795996553.5, stop: 1795996556.1 }, 2500],
    ['milliseconds', { duration: 1003.5, start: 1795995823.9, stop: 1795995825 }, 1003.5],
    ['milliseconds', { duration: 120, start: 1795995823900, stop: 1795995824020 }, 120],
  ])('reads durations of a CTRF file in %s: %j', (_unit, times, durationMs) => {
    const tests = [{ name: 'test_a', status: 'passed', ...times }];
    const verdict = read({ 'reward.txt': '1', 'ctrf.json': JSON.stringify({ results: { tests } }) });
    expect(verdict.tests).toEqual([{ name: 'test_a', status: 'passed', durationMs }]);
  });

  it('stands beside a CTRF file that cannot be read', () => {
    expect(read({ 'reward.txt': '1', 'ctrf.json': '{"results":' })).toMatchObject({
      passed: true,
      tests: [],
    });
  });

  it('is failed where a test is known to have run, whatever else the output holds', () => {
    const output = "ModuleNotFoundError: No module named 'pip'\n==== 1 failed, 2 passed in 0.31s ====\n";
    expect(read({ 'reward.txt': '0' }, output).passed).toBe(false);
    expect(read({ 'reward.txt': '0', 'ctrf.json': CTRF }, 'curl: (6) Could not resolve host: x').passed).toBe(
      false,
    );
  });

  it("is failed where the agent's work cannot be imported: that reward 0 is meant", () => {
    const output =
      "E   ModuleNotFoundError: No module named 'answer'\n!!! Interrupted: 1 error during collection !!!\n";
    expect(read({ 'reward.txt': '0' }, output).passed).toBe(false);
  });

  it("is failed where a service of the agent's refuses connections", () => {
    expect(read({ 'reward.txt': '0' }, 'curl: (7) Failed to connect to localhost port 80').passed).toBe(
      false,
    );
  });
});

describe('no verdict of a script verifier', () => {
  it('is given without a reward, with the way it ended', () => {
    expect(faultOf(() => read({})).message).toBe(
      'the verifier wrote neither reward.json nor reward.txt to /logs/verifier and ended with exit code 0',
    );
    expect(faultOf(() => read({}, '', ended(null, { signal: 'SIGKILL' }))).message).toBe(
      'the verifier did not run to its end: it was ended by SIGKILL',
    );
  });

  it('is given when it needs 61 s at a limit of 60 s, even with a reward', () => {
    const exit = ended(null, { endedBy: 'timeout', durationMs: 61_000 });
    expect(faultOf(() => read({ 'reward.txt': '1' }, '', exit)).message).toBe(
      'the verifier did not end within its time limit of 60 s (verifier.timeout in the task file)',
    );
  });

  it.each([
    ['/usr/bin/python3: No module named pytest', 'a Python package of the verifier is missing'],
    ['curl: (6) Could not resolve host: example.org', 'a host name did not resolve'],
    ["Temporary failure resolving 'example.org'", 'a host name did not resolve'],
    ['E: Unable to locate package curl', 'apt found no such package'],
    ['E: Failed to fetch http://example.org/x.deb  404  Not Found', 'apt could not download'],
    ['ERROR: No matching distribution found for pytest==8.4.1', 'pip found no such package'],
    ['error: Failed to download `pytest`', 'uv could not download'],
    [
      '/tests/test.sh: line 9: uvx: command not found',
      'a program of the verifier is missing or cannot be run',
    ],
    [
      '/tests/test.sh: line 15: /usr/local/bin/pytest: Permission denied',
      'a program of the verifier is missing or cannot be run',
    ],
    ['INTERNALERROR> Traceback', 'pytest failed inside (exit status 3)'],
    [
      'ERROR: file or directory not found: /tests/test_outputs.py',
      'pytest did not find its tests (exit status 4)',
    ],
    [
      'test.py: error: unrecognized arguments: --ctrf /logs/verifier/ctrf.json',
      'pytest was used wrongly (exit status 4): a plugin is missing',
    ],
  ])('is given when the output of a reward 0 says %s', (line, meaning) => {
    const fault = faultOf(() => read({ 'reward.txt': '0' }, `first line\n${line}\nlast line\n`));
    expect(fault.reason).toBe('verifier-error');
    expect(fault.message).toBe(`the verifier could not set itself up: ${meaning} ("${line}")`);
  });

  it('is given for a failed set-up before the missing reward is spoken of', () => {
    expect(faultOf(() => read({}, 'E: Unable to locate package curl', ended(100))).message).toContain(
      'set itself up',
    );
  });
});
