import { expect, it } from 'vitest';
import { failedTrials } from '../../../src/report/failed-trials.ts';
import { runOf, verdict } from '../../support/synthetic-run.ts';

it('names what was left out of the outputs, and of other notices the code', () => {
  const run = runOf({ tasks: ['A'], conditions: ['no-skills'] }, () => ({
    outcome: verdict(false, [{ name: 'test_outputs.py::test_a' }]),
    notices: [
      {
        code: 'outputs-left-out',
        detail: 'parts were not handed on',
        paths: ['/workspace/out (absent)', '/x'],
      },
      { code: 'silent-time', detail: 'no event' },
    ],
  }));
  expect(failedTrials(run.trials).join('\n')).toContain(
    'notices: outputs-left-out /workspace/out (absent), silent-time. ',
  );
});
