import { expect, it } from 'vitest';
import { HarnessManifest } from '../../../src/model/harness.ts';
import { RefusedAccounts } from '../../../src/run/refused-accounts.ts';
import { aConfiguration } from '../../support/project-values.ts';
import { aTrial } from '../../support/record-values.ts';
import { runBench, said } from './run-bench.ts';

const AUTH = {
  ending: 'crashed',
  fault: { reason: 'provider-auth', detail: 'status 401' },
  skillUse: [],
} as const;
const experiment = `configurations: [{ harness: agent, name: first }, { harness: agent, name: second }]
attempts: { max: 2 }
concurrency: 1
trials: 3
`;

it('a refused key holds the rest of its configuration, in both arms, before anything is made for it', async () => {
  await using bench = await runBench({ experiment });
  let callsOfTheFirst = 0;
  const { reason } = await bench.run({
    trials: ({ configuration }) => configuration === 'first',
    onEvent: ({ kind }) => {
      if (kind === 'trial-ended') callsOfTheFirst = bench.engine.calls.length;
    },
    services: { readerFor: () => ({ read: async () => AUTH }) },
  });
  expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['provider-auth']);
  expect(bench.engine.calls).toHaveLength(callsOfTheFirst);
  expect(callsOfTheFirst).toBeGreaterThan(0);
  expect(reason).toBe('stopped');
  expect(bench.events.flatMap((event) => (event.kind === 'notice' ? [event.message] : []))).toEqual([
    expect.stringMatching(/^configuration first .*status 401; mend the key.*resume <run> --retry-unscored$/),
  ]);
});

it('other configurations go on', async () => {
  await using bench = await runBench({ experiment });
  let asked = 0;
  const { reason } = await bench.run({
    services: {
      readerFor: () => ({
        read: async () => (asked++ === 0 ? AUTH : { ending: 'completed', skillUse: [] }),
      }),
    },
  });
  const held = bench.records[0]?.trial.configuration;
  expect(bench.records.slice(1).map(({ trial }) => trial.configuration === held)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
  expect(reason).toBe('stopped');
});

it('a key that the gateway knows to be refused holds every configuration on its account, each told once', () => {
  const manifest = HarnessManifest.parse({
    schemaVersion: 1,
    id: 'agent',
    version: '1',
    title: 'An agent',
    command: ['agent'],
    discovery: { home: [], project: [], system: [] },
    bundle: false,
    trajectory: 'codex',
    protocol: 'openai-responses',
  });
  const configurations = [
    { ...aConfiguration('agent', 'named'), provider: 'openai-responses' },
    // Without a provider of its own: the public account of its harness's protocol.
    aConfiguration('agent', 'by-protocol'),
    { ...aConfiguration('agent', 'elsewhere'), provider: 'acme' },
  ];
  const told: string[] = [];
  let isRefused = false;
  const refused = new RefusedAccounts({
    project: {
      configurations,
      harnesses: new Map([['agent', { manifest, dir: '/agent', digest: `sha256:${'0'.repeat(64)}` }]]),
    },
    models: {
      gateway: {
        refused: (provider) =>
          isRefused && provider === 'openai-responses'
            ? { reason: 'provider-auth', detail: 'the key is not valid' }
            : undefined,
      },
    },
    say: (message) => told.push(message),
  });
  const held = () => configurations.map(({ name }) => refused.holds(aTrial('demo', 'no-skills', 1, name)));
  expect(held()).toEqual([false, false, false]);
  expect(told).toEqual([]);
  isRefused = true;
  expect(held()).toEqual([true, true, false]);
  expect(held()).toEqual([true, true, false]);
  const words = (name: string) =>
    `configuration ${name} (account openai-responses) is held, no further trial of it is started: the key is not valid; mend the key, then: npx skillpair resume <run> --retry-unscored`;
  expect(told).toEqual([words('named'), words('by-protocol')]);
});
