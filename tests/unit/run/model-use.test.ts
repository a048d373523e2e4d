import { expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import type { Gateway } from '../../../src/gateway/gateway.ts';
import { RunNetworks } from '../../../src/run/run-networks.ts';
import { modelUse } from '../../support/model-use.ts';
import { leftOf, runBench, said } from './run-bench.ts';

const HARNESS = `schemaVersion: 1
id: asker
version: 1.0.0
title: asker
bundle: false
protocol: anthropic-messages
command: [agent, "{instruction}", "{model}", "{gateway}", "{token}"]
discovery: { home: [.agents/skills], project: [], system: [] }
trajectory: literal
`;

/** Every attempt is let in and has asked for the same. */
const USE = modelUse({ requests: 3, usage: { input: 1200, output: 40 } });
const GATEWAY: Gateway = {
  port: 8080,
  listen: () => Promise.resolve(),
  admit: () => ({
    token: 'token-of-one-trial',
    exhausted: new AbortController().signal,
    use: () => USE,
    fault: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
  refused: () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function askerBench() {
  return runBench({
    files: { 'harnesses/asker/harness.yaml': HARNESS },
    experiment: 'configurations: [{ harness: asker, model: model-1 }]\nattempts: { max: 1 }\n',
  });
}

function networksOn({ engine }: Awaited<ReturnType<typeof askerBench>>): RunNetworks {
  return new RunNetworks(engine, {
    namePrefix: 'bench',
    labels: { 'skillpair.run': 'bench-run' },
    say: () => undefined,
    leftBehind: () => undefined,
    stop: new AbortController().signal,
  });
}

it('records what an attempt asked of models', async () => {
  await using bench = await askerBench();
  await using networks = networksOn(bench);
  const record = await bench.runArm('no-skills', { services: { models: { gateway: GATEWAY, networks } } });
  expect(said(record.outcome)).toBe('passed');
  expect(record.modelUse).toEqual(USE);
});

it('records it also where the engine is lost before the agent’s output is read: it has been paid for', async () => {
  await using bench = await askerBench();
  {
    await using networks = networksOn(bench);
    const record = await bench.runArm('no-skills', {
      services: {
        models: { gateway: GATEWAY, networks },
        readerFor: () => ({
          read: () => Promise.reject(new EngineError('read', 'unreachable', 'the engine went away')),
        }),
      },
    });
    expect(said(record.outcome)).toBe('runtime-lost');
    expect(record.modelUse).toEqual(USE);
  }
  expect(await leftOf(bench)).toEqual([]);
});
