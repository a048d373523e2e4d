import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/measure/measure.ts';
import type { UnscoredReason } from '../../../src/model/outcome.ts';
import { nextCommand } from '../../../src/report/next-command.ts';
import { reward, runOf, unscored } from '../../support/synthetic-run.ts';

function next(reasons: Readonly<Record<string, UnscoredReason>>, runPath = 'runs/synthetic-1') {
  const record = runOf({ tasks: ['T1', 'T2'] }, ({ task }) => {
    const reason = reasons[task];
    return { outcome: reason === undefined ? reward(1) : unscored(reason) };
  });
  return nextCommand(record, measure(record), { runPath });
}

describe('the next command', () => {
  it('is none when every trial has a verdict', () => {
    expect(next({})).toBeUndefined();
  });

  it('tries unscored trials again, by the run’s name or, elsewhere, by its folder', () => {
    expect(next({ T1: 'verifier-error' })).toBe('npx skillpair resume synthetic-1 --retry-unscored');
    expect(next({ T1: 'verifier-error' }, 'my runs/synthetic-1')).toBe(
      "npx skillpair resume 'my runs/synthetic-1' --retry-unscored",
    );
  });

  it('is a new run when all reasons lie in files, since mended files refuse to resume', () => {
    expect(next({ T1: 'build-failed', T2: 'condition-violated' })).toBe(
      'npx skillpair run experiments/synthetic.yaml',
    );
    expect(next({ T1: 'build-failed', T2: 'runtime-lost' })).toBe(
      'npx skillpair resume synthetic-1 --retry-unscored',
    );
  });

  it('asks also for the trial that found a refused key out, since the others are held behind it', () => {
    const again = 'npx skillpair resume synthetic-1 --retry-unscored';
    expect(next({ T1: 'provider-auth', T2: 'not-run' })).toBe(again);
    expect(next({ T1: 'provider-auth' })).toBe(again);
    expect(next({ T1: 'provider-limit', T2: 'not-run' })).toBe('npx skillpair resume synthetic-1');
  });

  it('goes on with what was never run', () => {
    expect(next({ T1: 'not-run' })).toBe('npx skillpair resume synthetic-1');
  });
});
