import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src/engine/engine.ts';
import type { Gateway } from '../../../src/gateway/gateway.ts';
import { GatewayReach } from '../../../src/run/gateway-reach.ts';
import type { RunModels } from '../../../src/run/run-models.ts';
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
  answerTo: () => undefined,
  expectKnock: () => {
    throw new Error('no relay is wanted here');
  },
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function askerBench() {
  return runBench({
    files: { 'harnesses/asker/harness.yaml': HARNESS },
    experiment: 'configurations: [{ harness: asker, model: model-1 }]\nattempts: { max: 1 }\n',
  });
}

/** On networks whose addresses are this machine's. */
function modelsOn({ engine }: Awaited<ReturnType<typeof askerBench>>): RunModels & AsyncDisposable {
  const reach = new GatewayReach({
    engine,
    gateway: GATEWAY,
    settings: { reach: 'auto' },
    labels: {},
    image: () => Promise.reject(new Error('no relay is wanted here')),
    leftBehind: () => undefined,
    stop: new AbortController().signal,
  });
  const networks = new RunNetworks(engine, {
    namePrefix: 'bench',
    labels: { 'skillpair.run': 'bench-run' },
    say: () => undefined,
    leftBehind: () => undefined,
    stop: new AbortController().signal,
  });
  return { gateway: GATEWAY, networks, reach, [Symbol.asyncDispose]: () => networks[Symbol.asyncDispose]() };
}

it('records what an attempt asked of models', async () => {
  await using bench = await askerBench();
  await using models = modelsOn(bench);
  const record = await bench.runArm('no-skills', { services: { models } });
  expect(said(record.outcome)).toBe('passed');
  expect(record.modelUse).toEqual(USE);
  expect(record.gateway).toEqual({ kind: 'direct', place: '127.0.0.1:8080' });
});

it('records it also where the engine is lost before the agent’s output is read: it has been paid for', async () => {
  await using bench = await askerBench();
  {
    await using models = modelsOn(bench);
    const record = await bench.runArm('no-skills', {
      services: {
        models,
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

describe('what the harness told of a fault', () => {
  const told = { reason: 'harness-protocol', detail: 'left without its last event' } as const;
  const seen = { reason: 'provider-limit', detail: 'the provider answered 429 to the end' } as const;
  const record = async (given: { readonly fault?: typeof told; readonly seen?: typeof seen }) => {
    await using bench = await askerBench();
    await using models = modelsOn(bench);
    const admit = (...to: Parameters<Gateway['admit']>) => ({
      ...GATEWAY.admit(...to),
      fault: () => given.seen,
    });
    const reading = { ending: 'crashed', skillUse: [], ...(given.fault && { fault: given.fault }) } as const;
    const services = {
      readerFor: () => ({ read: async () => reading }),
      models: { ...models, gateway: { ...GATEWAY, admit } },
    };
    return await bench.runArm('no-skills', { services });
  };

  it('is kept apart from what the gateway saw, whose word goes before it', async () => {
    expect(await record({ fault: told, seen })).toMatchObject({
      outcome: { kind: 'unscored', ...seen },
      harnessFault: told,
    });
  });

  it('is kept also where it is the reason itself, and absent where it told of none', async () => {
    expect(await record({ fault: told })).toMatchObject({ outcome: told, harnessFault: told });
    expect(await record({ seen })).not.toHaveProperty('harnessFault');
  });
});
