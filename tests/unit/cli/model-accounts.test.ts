import { describe, expect, it } from 'vitest';
import { modelAccounts, requireModelKeys } from '../../../src/cli/model-accounts.ts';
import { NO_MACHINE_SETTINGS } from '../../../src/load/machine-settings.ts';
import { loadProject } from '../../../src/load/project.ts';
import { InputError } from '../../../src/model/problem.ts';
import type { Project } from '../../../src/model/project.ts';
import type { Trial } from '../../../src/model/trial.ts';
import { makePlan } from '../../../src/plan/plan.ts';
import { scratchProject } from '../load/support/scratch-project.ts';

const speaks = (id: string, protocol: string) => `schemaVersion: 1
id: ${id}
version: 1.0.0
title: ${id}
protocol: ${protocol}
command: [sh, -c, "exit 0"]
discovery: { home: [.${id}/skills], project: [], system: [] }
bundle: false
trajectory: none
`;

async function planned(models: string): Promise<{ project: Project; trials: readonly Trial[] }> {
  await using folder = await scratchProject({
    'harnesses/one/harness.yaml': speaks('one', 'anthropic-messages'),
    'harnesses/two/harness.yaml': speaks('two', 'openai-chat'),
    'experiments/demo.yaml': `schemaVersion: 1
name: demo
configurations:
  - { harness: one, model: m }
  - { harness: two, model: m, provider: mine }
  - { harness: nop }
models: { ${models} providers: { mine: { protocol: openai-chat, keyEnv: MY_KEY, baseUrl: "http://127.0.0.1:9" } } }
`,
  });
  const loaded = await loadProject({
    experimentPath: 'experiments/demo.yaml',
    root: folder.dir,
    machine: NO_MACHINE_SETTINGS,
  });
  if (!loaded.ok) throw new InputError(loaded.error);
  const plan = makePlan(loaded.value, {});
  if (!plan.ok) throw new InputError(plan.error);
  return { project: loaded.value, trials: plan.value.plan.trials };
}

describe('the accounts of a run', () => {
  it('are those that planned trials ask, with their keys and addresses', async () => {
    const { project, trials } = await planned('');
    const env = { ANTHROPIC_API_KEY: 'a-key', MY_KEY: 'my-key', GEMINI_API_KEY: 'unused' };
    expect(Object.fromEntries(modelAccounts({ env }, project, trials))).toEqual({
      'anthropic-messages': { protocol: 'anthropic-messages', key: 'a-key' },
      mine: { protocol: 'openai-chat', key: 'my-key', baseUrl: 'http://127.0.0.1:9' },
    });
  });

  it('need only the keys of what is left of the experiment', async () => {
    const { project, trials } = await planned('');
    const left = trials.filter(({ configuration }) => configuration === 'two@m');
    expect([...modelAccounts({ env: { MY_KEY: 'my-key' } }, project, left).keys()]).toEqual(['mine']);
  });

  it('without a key are told all at once, by variable, and empty is none', async () => {
    const { project, trials } = await planned('');
    const act = () => requireModelKeys({ env: { MY_KEY: '' } }, project, trials);
    expect(act).toThrow(InputError);
    try {
      act();
    } catch (error) {
      expect((error as InputError).problems.map(({ message }) => message)).toEqual([
        'the environment variable ANTHROPIC_API_KEY is not set; it holds the key of the account anthropic-messages',
        'the environment variable MY_KEY is not set; it holds the key of the account mine',
      ]);
    }
  });

  it('need no key where no provider is asked', async () => {
    for (const models of ['mode: scripted,', 'mode: replay, cassette: here,']) {
      const { project, trials } = await planned(models);
      expect(requireModelKeys({ env: {} }, project, trials)).toBeUndefined();
    }
  });
});
