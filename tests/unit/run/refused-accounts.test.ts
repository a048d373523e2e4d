import { expect, it } from 'vitest';
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
