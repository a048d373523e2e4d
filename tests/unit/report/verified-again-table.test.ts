import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.ts';
import { agrees } from '../../../src/model/verified-again.ts';
import { renderVerifiedAgain } from '../../../src/report/verified-again-table.ts';
import { aTrial, scored, unscored } from '../../support/record-values.ts';

function rewarded(reward: number, status: 'passed' | 'failed' = 'failed'): Outcome {
  return {
    kind: 'scored',
    verdict: { passed: reward === 1, reward, tests: [{ name: 'a', status, durationMs: Math.random() }] },
  };
}

describe('the agreement of two verifications', () => {
  it.each([
    ['both passed', scored(true), scored(true), true],
    ['one passed', scored(true), scored(false), false],
    ['equal rewards, in other times', rewarded(0.5), rewarded(0.5), true],
    ['other rewards', rewarded(0.5), rewarded(0.25), false],
    ['equal rewards for other checks', rewarded(0), rewarded(0, 'passed'), false],
    ['no verdict before', unscored('verifier-error'), scored(true), false],
    ['no verdict for the same reason', unscored('verifier-error'), unscored('verifier-error'), true],
    ['no verdict for another reason', unscored('verifier-error'), unscored('runtime-lost'), false],
  ])('with %s', (_, recorded, now, same) => {
    expect(agrees({ recorded, now })).toBe(same);
  });
});

describe('the table of what was verified again', () => {
  it('says what was recorded, what is found now, why there is no verdict, and what could not be verified', () => {
    const trial = (condition: 'no-skills' | 'with-skills', index = 1) => aTrial('t', condition, index).id;
    const text = renderVerifiedAgain(
      [
        {
          ...{ trial: trial('no-skills'), attempt: 1, taskChanged: true },
          ...{ recorded: scored(false), now: scored(true) },
          notices: [{ code: 'output-incomplete', detail: 'it was cut' }],
        },
        {
          ...{ trial: trial('with-skills'), attempt: 2, taskChanged: false },
          ...{ recorded: rewarded(0.5), now: unscored('verifier-error') },
          notices: [],
        },
      ],
      [{ trial: trial('no-skills', 2), why: 'it has not run' }],
    );
    expect(text.split('\n')).toEqual([
      'trial                    attempt  recorded             now                        result  task',
      't/no-skills/1/literal    1        failed               passed                     OTHER   changed',
      't/with-skills/1/literal  2        failed (reward 0.5)  unscored (verifier-error)  OTHER   same',
      't/no-skills/1/literal: output-incomplete: it was cut',
      't/with-skills/1/literal: verifier-error: made up: verifier-error',
      't/no-skills/2/literal: not verified: it has not run',
      'verified again: 2 trials, 2 with another result; not verified: 1',
    ]);
  });
});
