import { describe, expect, it } from 'vitest';
import {
  formatBounds,
  formatCount,
  formatDuration,
  formatInstant,
  formatInterval,
  formatNames,
  formatPoints,
  formatRate,
  formatReasons,
  formatTokens,
  formatUsd,
} from '../../../src/report/format.ts';

describe('format', () => {
  it('gives rates as percentages with one decimal, and n/a for what is undefined', () => {
    expect([0, 11 / 24, 1, null].map(formatRate)).toEqual(['0.0 %', '45.8 %', '100.0 %', 'n/a']);
  });

  it('gives differences in percentage points with their sign, and no negative zero', () => {
    expect([5 / 24, -0.5, 0, -0.0001, null].map(formatPoints)).toEqual([
      '+20.8 pp',
      '-50.0 pp',
      '0.0 pp',
      '0.0 pp',
      'n/a',
    ]);
  });

  it('gives tokens in groups, and unknown where nobody counted', () => {
    expect([0, 1_234_567, undefined].map(formatTokens)).toEqual(['0', '1,234,567', 'unknown']);
  });

  it('gives dollars to the cent, and small ones with four decimals, never as nothing', () => {
    expect([1204.5, 17.1, 1, 0.03125, 0.00002, 0].map(formatUsd)).toEqual([
      '1,204.50',
      '17.10',
      '1.00',
      '0.0313',
      'under 0.0001',
      '0',
    ]);
  });

  it('gives intervals and bounds', () => {
    expect(formatInterval({ low: -0.019, high: 0.06 })).toBe('[-1.9, +6.0]');
    expect(formatInterval(null)).toBe('n/a');
    expect(formatBounds(5 / 12, 0.5)).toBe('41.7..50.0');
    expect(formatBounds(null, 0.5)).toBe('n/a');
  });

  it('gives durations as people say them', () => {
    const durations = [0, 0.4, 950, 61_200, 99_960, 725_000, 3_599_600, 11_220_000, 100_000_000];
    expect(durations.map(formatDuration)).toEqual([
      '0 ms',
      '0 ms',
      '950 ms',
      '61.2 s',
      '1m 40s',
      '12m 05s',
      '1h 00m',
      '3h 07m',
      '27h 47m',
    ]);
  });

  it('groups the digits of counts', () => {
    expect([0, 999, 9396, 1_234_567].map(formatCount)).toEqual(['0', '999', '9,396', '1,234,567']);
  });

  it('gives reasons by frequency, then by name', () => {
    const byReason = { 'not-run': 1, cancelled: 1, 'runtime-lost': 2 };
    expect(formatReasons({ planned: 9, scored: 5, unscored: 4, byReason })).toBe(
      'runtime-lost 2, cancelled 1, not-run 1',
    );
    expect(formatReasons({ planned: 1, scored: 1, unscored: 0, byReason: {} })).toBe('none');
  });

  it('says how many names a cut list leaves out', () => {
    expect(formatNames(['a', 'b', 'c'], 3)).toBe('a, b, c');
    expect(formatNames(['a', 'b', 'c', 'd'], 3)).toBe('a, b, c and 1 more');
  });

  it('gives instants to the second with their zone', () => {
    expect(formatInstant('2026-11-29T21:00:03.123Z')).toBe('2026-11-29T21:00:03Z');
    expect(formatInstant('2026-11-29T21:00:03Z')).toBe('2026-11-29T21:00:03Z');
  });
});
