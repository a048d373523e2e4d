import { describe, expect, it } from 'vitest';
import { measure } from '../../../../src/measure/measure.ts';
import { plannedPower } from '../../../../src/measure/uncertainty/planned-power.ts';
import { ROOT } from '../../../support/pages.ts';
import { program } from '../../../support/run-program.ts';
import { runOf, verdict } from '../../../support/synthetic-run.ts';

describe('plannedPower', () => {
  it('is by hand 59.9 pp for 8 tasks of one trial: (2.36462 + 0.89603) * sqrt((0.09 + 0.18) / 8)', () => {
    expect(plannedPower({ tasks: 8, trials: 1 }).design.detectableGain).toBeCloseTo(0.599, 3);
  });

  it('shows what more trials and more tasks would give, less for ever more trials', () => {
    const { others } = plannedPower({ tasks: 20, trials: 3 });
    expect(others.map(({ tasks, trials }) => `${tasks} x ${trials}`)).toEqual([
      '20 x 1',
      '20 x 2',
      '20 x 5',
      '20 x 10',
      '10 x 3',
      '40 x 3',
      '80 x 3',
    ]);
    const [once = 0, twice = 0, five = 0, ten = 0] = others.map(({ detectableGain }) => detectableGain ?? 0);
    expect(once - twice).toBeGreaterThan(five - ten);
    expect(five).toBeGreaterThan(ten);
  });

  it('takes the noise of an earlier run, and says so', () => {
    // One pass of two in both arms of every task: a trial's variance is 1/2, and no task differs from another.
    const run = runOf({ tasks: ['a', 'b', 'c'], trials: 2 }, ({ index }) => ({
      outcome: verdict(index === 1),
    }));
    const { assumed, source } = plannedPower(
      { tasks: 8, trials: 1 },
      { measurement: measure(run), name: 'night-1' },
    );
    expect(assumed.trialSd).toBeCloseTo(Math.sqrt(0.5), 12);
    expect(assumed.gainSdByTask).toBe(0);
    expect(source).toBe('medians of the configurations of night-1');
  });

  it('falls back on the public results where no trial was repeated', () => {
    const run = runOf({ tasks: ['a', 'b'] }, () => ({ outcome: verdict(true) }));
    const { source } = plannedPower({ tasks: 8, trials: 1 }, { measurement: measure(run), name: 'night-1' });
    expect(source).toMatch(/public SkillsBench results, since night-1 has no repeated trials/);
  });
});

describe('skillpair plan --power', () => {
  it('prints the smallest gain that the experiment would find, and needs no engine', async () => {
    const { exitCode, stdout } = await program(
      ['plan', 'experiments/demo.yaml', '--power', '--task', 'co2-*'],
      ROOT,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^1 task, 1 trial per task and arm: fewer than two tasks show no gain\n/);
  });

  it('refuses a plan of one condition', async () => {
    const argv = ['plan', 'experiments/demo.yaml', '--power', '--condition', 'no-skills'];
    const { exitCode, stderr } = await program(argv, ROOT);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('one condition alone shows no gain');
  });
});
