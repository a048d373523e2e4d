import { describe, expect, it } from 'vitest';
import type { AttemptRecord, Limits } from '../../../src/model/attempt.ts';
import type { TrialRecord } from '../../../src/model/run-record.ts';
import { withoutUnequalArms } from '../../../src/record/unequal-arms.ts';
import { runOf, unscored, verdict } from '../../support/synthetic-run.ts';

const LIMITS: Limits = {
  cpus: { wished: 4, granted: 4 },
  memoryBytes: { wished: 2, granted: 2 },
  pids: { wished: 9, granted: 9 },
  agentTimeoutMs: 600_000,
  verifierTimeoutMs: 300_000,
};
const OTHER = `sha256:${'0'.repeat(64)}` as AttemptRecord['digests']['task'];

const pairsOfTwoTasks = () => runOf({ tasks: ['a', 'b'] }, () => ({ outcome: verdict(true) })).trials;

/** Changes the attempts of one trial. */
function changed(
  trials: readonly TrialRecord[],
  id: string,
  change: (attempt: AttemptRecord) => Partial<AttemptRecord>,
): readonly TrialRecord[] {
  return trials.map((record) => {
    if (record.trial.id !== id || record.counted === undefined) return record;
    const counted = { ...record.counted, ...change(record.counted) };
    return { ...record, attempts: [counted], counted };
  });
}

const said = (trials: readonly TrialRecord[]) =>
  Object.fromEntries(
    trials.map(({ trial, outcome }) => [trial.id, outcome.kind === 'scored' ? 'scored' : outcome.reason]),
  );

const FIRST = 'a/no-skills/1/literal';
const SECOND = 'a/with-skills/1/literal';

describe('a pair whose arms differ', () => {
  it.each<[string, (attempt: AttemptRecord) => Partial<AttemptRecord>]>([
    ['task image', () => ({ images: { task: OTHER } })],
    ['task', ({ digests }) => ({ digests: { ...digests, task: OTHER } })],
    ['instruction', ({ digests }) => ({ digests: { ...digests, instruction: OTHER } })],
    ['harness', ({ digests }) => ({ digests: { ...digests, harness: OTHER } })],
    ["harness's version", () => ({ harnessVersion: '2.0.0' })],
    ['limits', () => ({ limits: { ...LIMITS, cpus: { wished: 4, granted: 2 } } })],
    ['limits', () => ({ limits: { ...LIMITS, agentTimeoutMs: 900_000 } })],
  ])('in %s loses both verdicts, with both values in the detail, and no other pair does', (name, change) => {
    const alike = changed(
      changed(pairsOfTwoTasks(), FIRST, () => ({ limits: LIMITS, harnessVersion: '1.0.0' })),
      SECOND,
      () => ({ limits: LIMITS, harnessVersion: '1.0.0' }),
    );
    expect(withoutUnequalArms(alike)).toBe(alike);
    const trials = withoutUnequalArms(changed(alike, SECOND, change));
    expect(said(trials)).toEqual({
      [FIRST]: 'arms-differ',
      [SECOND]: 'arms-differ',
      'b/no-skills/1/literal': 'scored',
      'b/with-skills/1/literal': 'scored',
    });
    const details = trials.flatMap(({ outcome }) => (outcome.kind === 'unscored' ? [outcome.detail] : []));
    expect(details[0]).toMatch(new RegExp(`^${name} .+ here and .+ in ${SECOND}$`));
    expect(details[1]).toMatch(new RegExp(`^${name} .+ here and .+ in ${FIRST}$`));
    expect(trials[0]?.counted?.outcome.kind).toBe('scored');
  });

  it('in its bundle alone, in clamped wishes or in packages is what pairs are, and keeps its verdicts', () => {
    const wished = { ...LIMITS, cpus: { wished: 8, granted: 4 } };
    const one = changed(pairsOfTwoTasks(), FIRST, () => ({ limits: LIMITS }));
    const trials = changed(one, SECOND, ({ digests }) => ({
      limits: wished,
      digests: { ...digests, bundle: OTHER },
    }));
    expect(withoutUnequalArms(trials)).toBe(trials);
  });

  it('in what only one of its trials recorded is not accused', () => {
    const trials = changed(pairsOfTwoTasks(), SECOND, () => ({ limits: LIMITS, harnessVersion: '1.0.0' }));
    expect(withoutUnequalArms(trials)).toBe(trials);
  });

  it('with one trial unscored anyway keeps that reason, and the other its verdict', () => {
    const { trials } = runOf({ tasks: ['a'] }, ({ condition }) => ({
      outcome: condition === 'no-skills' ? unscored('start-failed') : verdict(true),
    }));
    const changedTrials = changed(trials, SECOND, () => ({ images: { task: OTHER } }));
    expect(withoutUnequalArms(changedTrials)).toBe(changedTrials);
  });
});
