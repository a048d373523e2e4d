import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../../src/gateway/gateway.ts';
import { DEFAULT_SCRIPT } from '../../../src/gateway/scripted/default-script.ts';
import { scriptedModel } from '../../../src/gateway/scripted/scripted-model.ts';
import { startGateway } from '../../../src/gateway/start-gateway.ts';
import type { AttemptRecord } from '../../../src/model/attempt.ts';
import { ModelSettings } from '../../../src/model/model-settings.ts';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { filesWith } from '../../support/secret-search.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Verdicts by arm. */
function verdicts(records: readonly AttemptRecord[]): Record<string, unknown> {
  return Object.fromEntries(
    records.map(({ trial, outcome }) => [
      trial.condition,
      outcome.kind === 'scored' ? outcome.verdict.passed : outcome,
    ]),
  );
}

/** A gateway with a script plays the provider: it speaks the protocol, wants a key, and goes away when it is told to. */
describe('a real harness on a provider that wants a key', () => {
  let rig: Rig;
  let provider: Gateway;
  let key: string;
  const yaml = (mode: string) => `
tasks: { folders: [${JSON.stringify(join(ROOT, 'tasks'))}], include: [co2-annual-growth] }
skills: ${JSON.stringify(join(ROOT, 'skills'))}
configurations: [{ harness: codex, model: some-model, provider: here }]
models:
  mode: ${mode}
  ${mode === 'live' ? '' : 'cassette: ../cassette'}
  providers:
    here: { protocol: openai-responses, baseUrl: "http://127.0.0.1:${provider.port}", keyEnv: PROVIDER_KEY }
attempts: { max: 1 }
concurrency: 1
`;
  beforeAll(async () => {
    rig = await makeRig();
    const respond = scriptedModel(DEFAULT_SCRIPT);
    const settings = ModelSettings.parse({ mode: 'scripted' });
    provider = await startGateway({
      hosts: ['127.0.0.1'],
      settings,
      respond: () => respond,
      secrets: [],
    });
    key = provider.admit({
      trial: 'provider',
      attempt: 1,
      configuration: 'provider',
      provider: 'openai-responses',
      model: 'some-model',
      evidenceDir: rig.dir,
      providerTools: true,
      allowHosts: [],
    }).token;
  });
  afterAll(async () => {
    await provider[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
  });

  it('is refused before anything is made when the key is not set', async () => {
    const path = await rig.addExperiment('keyless', yaml('live'));
    const ran = await rig.run(['run', path], { PROVIDER_KEY: '' });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('PROVIDER_KEY is not set');
    expect(await rig.runs()).toEqual([]);
  });

  it('ends as provider-auth when the provider refuses the key, and begins no other trial with it', async () => {
    const path = await rig.addExperiment('refused', yaml('live'));
    const ran = await rig.run(['run', path, '--run-id', 'refused'], { PROVIDER_KEY: 'wrong-key' });
    expect(ran.code).toBe(4);
    const record = await rig.record('refused');
    expect(record.trials.map(({ outcome }) => outcome)).toMatchObject([
      { kind: 'unscored', reason: 'provider-auth' },
      { kind: 'unscored', reason: 'not-run' },
    ]);
    expect(attemptsOf(record)).toHaveLength(1);
    expect(ran.stderr).toMatch(/is held, no further trial of it is started: .*--retry-unscored/);
  });

  it('records a run, replays it to the same verdicts with the provider gone, and the key stands in no file', async () => {
    const recorded = await rig.addExperiment('recorded', yaml('record'));
    const first = await rig.run(['run', recorded, '--run-id', 'recorded'], { PROVIDER_KEY: key });
    expect(first.code, first.stderr).toBe(0);
    const before = attemptsOf(await rig.record('recorded'));
    expect(verdicts(before)).toEqual({ 'no-skills': false, 'with-skills': true });
    expect(before[0]?.modelUse).toMatchObject({ mode: 'record', provider: 'here' });

    const replayed = await rig.addExperiment('replayed', yaml('replay'));
    await provider[Symbol.asyncDispose]();
    const second = await rig.run(['run', replayed, '--run-id', 'replayed'], { PROVIDER_KEY: '' });
    expect(second.code, second.stderr).toBe(0);
    const after = attemptsOf(await rig.record('replayed'));
    expect(verdicts(after)).toEqual(verdicts(before));
    expect(after[0]?.modelUse?.usage).toEqual(before[0]?.modelUse?.usage);

    const { found, files } = await filesWith(rig.dir, key);
    expect(found).toEqual([]);
    expect(files).toBeGreaterThan(20);
  });
});
