import { describe, expect, test } from 'vitest';
import { renderChecks } from '../../../src/report/check-table.ts';

describe('the table of a check', () => {
  test('has a line for each case and below it what is known of those that do not hold', () => {
    const rows = [
      { name: 'canary', expected: ['passed; seen'], found: 'passed; seen', ok: true, reader: 'no fault' },
      {
        name: 'status-401',
        expected: ['provider-auth'],
        found: 'provider-error',
        ok: false,
        reader: 'provider-limit',
        detail: 'the provider answered 401\nto the key',
      },
    ];
    expect(renderChecks(rows)).toBe(
      [
        'case        expected       found           reader          ok',
        'canary      passed; seen   passed; seen    no fault        yes',
        'status-401  provider-auth  provider-error  provider-limit  NO',
        '',
        'status-401:',
        '  the provider answered 401',
        '  to the key',
      ].join('\n'),
    );
  });

  test('names all that would be right, and is only a table where all holds', () => {
    const rows = [{ name: 'cut-stream', expected: ['passed', 'provider-error'], found: 'passed', ok: true }];
    expect(renderChecks(rows)).toBe(
      'case        expected                  found   reader  ok\ncut-stream  passed or provider-error  passed  -       yes',
    );
  });

  test('what a program printed cannot steer a terminal', () => {
    const rows = [{ name: 'bundle', expected: ['says 1'], found: 'says 1\u001b[2J', ok: true }];
    expect(renderChecks(rows)).not.toContain('\u001b');
  });
});
