import { describe, expect, it } from 'vitest';
import { readReward } from '../../../src/verifier/reward.ts';
import { faultOf, reportFiles } from './verifier-input.ts';

describe('a reward', () => {
  it.each([
    ['1.000', 1],
    ['.83', 0.83],
    ['0.8500', 0.85],
    ['1\n', 1],
    ['0\r\n', 0],
    [' 0.5 ', 0.5],
    ['+1', 1],
    ['5e-1', 0.5],
    ['1.', 1],
  ])('is read from reward.txt that holds %j', (text, value) => {
    expect(readReward(reportFiles({ 'reward.txt': text }))).toEqual({ value, text: text.trim() });
  });

  it('of -0 is 0 without a sign', () => {
    expect(readReward(reportFiles({ 'reward.txt': '-0' }))?.value).toBe(0);
    expect(readReward(reportFiles({ 'reward.json': '{"reward": -0}' }))?.value).toBe(0);
  });

  it.each([
    ['{"reward": 1}', 1],
    ['{"reward": 0.25, "seconds": 12, "note": "words"}', 0.25],
    ['{"accuracy": 0.75}', 0.75],
    ['{"accuracy": 0.75, "details": {"reward": 1}}', 0.75],
  ])('is read from reward.json that holds %s', (text, value) => {
    expect(readReward(reportFiles({ 'reward.json': text }))?.value).toBe(value);
  });

  it('comes from reward.json where both files name the same', () => {
    expect(readReward(reportFiles({ 'reward.json': '{"reward": 1}', 'reward.txt': '1.0' }))).toEqual({
      value: 1,
      text: '1',
    });
  });

  it('comes from reward.txt where reward.json is a report without one', () => {
    const files = reportFiles({ 'reward.json': '{"speed": 3, "size": 4}', 'reward.txt': '0.5' });
    expect(readReward(files)?.value).toBe(0.5);
  });

  it('is absent where neither file is there', () => {
    expect(readReward(reportFiles({ 'ctrf.json': '{}' }))).toBeUndefined();
  });
});

describe('a reward that cannot be used', () => {
  it.each([
    ['reward.txt', '', 'reward.txt is empty'],
    ['reward.txt', '\n', 'reward.txt is empty'],
    ['reward.txt', 'nan', 'reward.txt holds "nan", which is not a decimal number'],
    ['reward.txt', 'inf', 'reward.txt holds "inf", which is not a decimal number'],
    ['reward.txt', '"1"', 'reward.txt holds "\\"1\\"", which is not a decimal number'],
    ['reward.txt', '1 passed', 'reward.txt holds "1 passed", which is not a decimal number'],
    ['reward.txt', '0x1', 'reward.txt holds "0x1", which is not a decimal number'],
    ['reward.txt', '1_0', 'reward.txt holds "1_0", which is not a decimal number'],
    ['reward.txt', '1.5', 'reward.txt holds 1.5, which is not in [0, 1]'],
    ['reward.txt', '-0.1', 'reward.txt holds -0.1, which is not in [0, 1]'],
    ['reward.txt', '1e999', 'reward.txt holds 1e999, which is not in [0, 1]'],
    ['reward.json', '', 'reward.json is empty'],
    ['reward.json', '{"reward": "1"}', 'reward.json holds "1" under "reward", which is not a number'],
    ['reward.json', '{"reward": true}', 'reward.json holds true under "reward", which is not a number'],
    ['reward.json', '{"reward": null}', 'reward.json holds null under "reward", which is not a number'],
    ['reward.json', '{"reward": 1.5}', 'reward.json holds 1.5, which is not in [0, 1]'],
    ['reward.json', '{"reward": NaN}', 'reward.json is not a JSON object (NaN and Infinity are not JSON)'],
    ['reward.json', '1', 'reward.json is not a JSON object (NaN and Infinity are not JSON)'],
    ['reward.json', '[1]', 'reward.json is not a JSON object (NaN and Infinity are not JSON)'],
    [
      'reward.json',
      '{"speed": 1, "size": 1}',
      'reward.json names 2 numbers and none is "reward", so which of them counts is not said',
    ],
    [
      'reward.json',
      '{"note": "x"}',
      'reward.json names no reward: it needs a number under "reward", or one named number alone, or a reward.txt beside it',
    ],
  ])('in %s (%j) is one sentence', (name, text, sentence) => {
    const fault = faultOf(() => readReward(reportFiles({ [name]: text })));
    expect([fault.reason, fault.message]).toEqual(['verifier-error', sentence]);
  });

  it('because the two files disagree names both', () => {
    const files = reportFiles({ 'reward.json': '{"reward": 1}', 'reward.txt': '0' });
    expect(faultOf(() => readReward(files)).message).toBe(
      'reward.json says 1 and reward.txt says 0: the verifier must write one reward',
    );
  });

  it('because a file is too large names its limit', () => {
    expect(faultOf(() => readReward(reportFiles({ 'reward.txt': ' '.repeat(1025) }))).message).toBe(
      'reward.txt is larger than 1024 bytes',
    );
    const cut = new Map([['reward.json', { bytes: new Uint8Array(), truncated: true }]]);
    expect(faultOf(() => readReward(cut)).message).toBe('reward.json is larger than 1048576 bytes');
  });
});
