import { expect, test } from 'vitest';
import { digestBytes } from '../../../src/base/digest.ts';
import { ConfigurationName } from '../../../src/model/ids.ts';
import type { RunLock } from '../../../src/model/run-lock.ts';
import { differences, driftProblems } from '../../../src/plan/differences.ts';
import { aLock, trialsOf } from '../../support/record-values.ts';

const OTHER = digestBytes('other');

/** What differs after a change to a copy of the lock. */
function after(change: (lock: RunLock) => void, moved = false) {
  const locked = aLock(trialsOf(['co2-trend', 'ledger']));
  const fresh = structuredClone(locked);
  change(fresh);
  return differences(locked, fresh, { movedBaseImages: moved });
}

const first = <T>(list: readonly T[]): T => list[0] as T;

test('a lock does not differ from itself', () => {
  expect(after(() => undefined)).toEqual([]);
});

test.each<[string, string, (lock: RunLock) => void]>([
  [
    'the program',
    'skillpair',
    (lock) => {
      lock.skillpair = '0.2.0';
    },
  ],
  [
    'the experiment name',
    'experiment.name',
    (lock) => {
      lock.experiment.name = 'other';
    },
  ],
  [
    'the seed',
    'experiment.seed',
    (lock) => {
      lock.experiment.seed = 5;
    },
  ],
  [
    'the number of trials',
    'experiment.trials',
    (lock) => {
      lock.experiment.trials = 3;
    },
  ],
  [
    'the conditions',
    'experiment.conditions',
    (lock) => {
      lock.experiment.conditions = ['no-skills'];
    },
  ],
  [
    'a substitution',
    'experiment.images',
    (lock) => {
      lock.experiment.images.substitute = { a: 'b' };
    },
  ],
  [
    'the verifiers',
    'verifiersDigest',
    (lock) => {
      lock.verifiersDigest = OTHER;
    },
  ],
  [
    'the platform',
    'engine.platform',
    (lock) => {
      lock.engine.platform = 'linux/arm64';
    },
  ],
  [
    'one task byte',
    'tasks.co2-trend.digest',
    (lock) => {
      first(lock.tasks).digest = OTHER;
    },
  ],
  ['a missing task', 'tasks.co2-trend', (lock) => void lock.tasks.shift()],
  [
    'a Skill',
    'tasks.co2-trend.skills.skill-co2-trend',
    (lock) => {
      first(first(lock.tasks).skills).digest = OTHER;
    },
  ],
  [
    'an added Skill',
    'tasks.co2-trend.skills.new',
    (lock) => void first(lock.tasks).skills.push({ name: 'new', digest: OTHER }),
  ],
  [
    'a removed Skill',
    'tasks.co2-trend.skills.skill-co2-trend',
    (lock) => void first(lock.tasks).skills.pop(),
  ],
  [
    'the model',
    'configurations.literal.model',
    (lock) => {
      first(lock.configurations).model = 'model-b';
    },
  ],
  [
    'the harness of a configuration',
    'configurations.literal.harness',
    (lock) => {
      first(lock.configurations).harness = 'nop';
    },
  ],
  [
    'a variable',
    'configurations.literal.env.MODE',
    (lock) => {
      first(lock.configurations).env = { MODE: 'x' };
    },
  ],
  ['a missing configuration', 'configurations.literal', (lock) => void lock.configurations.pop()],
  [
    'a harness version',
    'harnesses.literal.version',
    (lock) => {
      first(lock.harnesses).version = '2.0.0';
    },
  ],
  [
    'a harness file',
    'harnesses.literal.digest',
    (lock) => {
      first(lock.harnesses).digest = OTHER;
    },
  ],
  ['a missing harness', 'harnesses.literal', (lock) => void lock.harnesses.pop()],
  [
    'a provider',
    'configurations.literal.provider',
    (lock) => {
      first(lock.configurations).provider = 'mine';
    },
  ],
  [
    'the model mode',
    'experiment.models',
    (lock) => {
      lock.experiment.models.mode = 'scripted';
    },
  ],
  [
    "an account's address",
    'experiment.models',
    (lock) => {
      lock.experiment.models.providers = {
        mine: { protocol: 'gemini', keyEnv: 'KEY', baseUrl: 'https://example.org' },
      };
    },
  ],
  [
    'the model script',
    'scriptDigest',
    (lock) => {
      lock.scriptDigest = OTHER;
    },
  ],
  [
    'a moved base image',
    'baseImages.skillpair/base:1',
    (lock) => {
      lock.baseImages['skillpair/base:1'] = { image: OTHER, substituted: false };
    },
  ],
  [
    'a lost base image',
    'baseImages.skillpair/base:1',
    (lock) => {
      lock.baseImages = {};
    },
  ],
])('%s changed: resuming is refused and the field named', (_what, field, change) => {
  const found = after(change);
  expect(found.map((difference) => [difference.field, difference.kind])).toEqual([[field, 'drift']]);
  expect(driftProblems(found)).toMatchObject([{ severity: 'error', message: expect.stringContaining(': ') }]);
});

test.each<[string, string, (lock: RunLock) => void]>([
  [
    'concurrency',
    'experiment.concurrency',
    (lock) => {
      lock.experiment.concurrency = 16;
    },
  ],
  [
    'the time for builds',
    'experiment.images.buildTimeFactor',
    (lock) => {
      lock.experiment.images.buildTimeFactor = 3;
    },
  ],
  [
    'attempts',
    'experiment.attempts',
    (lock) => {
      lock.experiment.attempts.max = 5;
    },
  ],
  [
    'gates',
    'gates',
    (lock) => {
      lock.gates = { minGain: 0.1 };
    },
  ],
  [
    'the description',
    'experiment.description',
    (lock) => {
      lock.experiment.description = 'x';
    },
  ],
  [
    'the selection',
    'experiment.tasks',
    (lock) => {
      lock.experiment.tasks.include = ['co2*', 'ledger'];
    },
  ],
  [
    'the path',
    'experimentPath',
    (lock) => {
      lock.experimentPath = '/moved/test.yaml';
    },
  ],
  [
    'the engine version',
    'engine.version',
    (lock) => {
      lock.engine.version = '27.0.0';
    },
  ],
  [
    'a budget',
    'experiment.models.budgets',
    (lock) => {
      lock.experiment.models.budgets.run = { requests: 5 };
    },
  ],
  [
    'the host',
    'host',
    (lock) => {
      lock.host.name = 'elsewhere';
    },
  ],
])('%s changed: resuming goes on and says so', (_what, field, change) => {
  const found = after(change);
  expect(found.map((difference) => [difference.field, difference.kind])).toEqual([[field, 'allowed']]);
  expect(driftProblems(found)).toEqual([]);
});

test('tasks that came after the run began are no difference', () => {
  expect(after((lock) => void lock.tasks.push({ ...first(lock.tasks), id: 'new' as never }))).toEqual([]);
});

test('the order of tasks, conditions and keys is no difference', () => {
  const found = after((lock) => {
    lock.tasks.reverse();
    lock.experiment.conditions.reverse();
    lock.engine = Object.fromEntries(Object.entries(lock.engine).reverse()) as RunLock['engine'];
  });
  expect(found).toEqual([]);
});

test('a model that is part of the configuration name is told as a changed model', () => {
  const found = after((lock) => {
    const configuration = first(lock.configurations);
    configuration.name = ConfigurationName.parse('literal@model-b');
    configuration.model = 'model-b';
  });
  expect(found.map(({ field }) => field)).toContain('configurations.literal.model');
});

test('values of variables, which may be secret, are not repeated', () => {
  const found = after((lock) => {
    first(lock.configurations).env = { TOKEN: 'hush-hush' };
  });
  expect(JSON.stringify(found)).not.toContain('hush-hush');
});

test('a moved base image is let go when the user says so', () => {
  const found = after((lock) => {
    lock.baseImages['skillpair/base:1'] = { image: OTHER, substituted: true };
  }, true);
  expect(found).toMatchObject([{ kind: 'allowed' }]);
});

test('drift stands before what is allowed', () => {
  const found = after((lock) => {
    lock.experiment.concurrency = 9;
    first(lock.tasks).digest = OTHER;
  });
  expect(found.map(({ kind }) => kind)).toEqual(['drift', 'allowed']);
});
