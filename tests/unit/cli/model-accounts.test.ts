import { describe, expect, it } from 'vitest';
import { modelAccounts } from '../../../src/cli/model-accounts.ts';
import { requireModels } from '../../../src/cli/models.ts';
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

const PLANNED = (models: string) => ({
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

async function load(root: string): Promise<{ project: Project; trials: readonly Trial[] }> {
  const experimentPath = 'experiments/demo.yaml';
  const loaded = await loadProject({ experimentPath, root, machine: NO_MACHINE_SETTINGS });
  if (!loaded.ok) throw new InputError(loaded.error);
  const plan = makePlan(loaded.value, {});
  if (!plan.ok) throw new InputError(plan.error);
  return { project: loaded.value, trials: plan.value.plan.trials };
}

async function planned(models: string) {
  await using folder = await scratchProject(PLANNED(models));
  return await load(folder.dir);
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
    const refused = await requireModels({ env: { MY_KEY: '' } }, project, trials).catch((error) => error);
    expect(refused).toBeInstanceOf(InputError);
    expect((refused as InputError).problems.map(({ message }) => message)).toEqual([
      'the environment variable ANTHROPIC_API_KEY is not set; it holds the key of the account anthropic-messages',
      'the environment variable MY_KEY is not set; it holds the key of the account mine',
    ]);
  });

  it('need no key in front of a script, and none for trials without a model', async () => {
    const { project, trials } = await planned('mode: scripted,');
    expect(await requireModels({ env: {} }, project, trials)).toBeUndefined();
    const live = await planned('');
    const plain = live.trials.filter(({ configuration }) => configuration === 'nop');
    expect(plain).toHaveLength(2);
    expect(await requireModels({ env: {} }, live.project, plain)).toBeUndefined();
  });

  it.each([
    ['is not there', {}, 'no such file or directory'],
    ['holds nothing', { 'experiments/here/readme.txt': 'x' }, 'there is no exchange in it'],
    ['holds something else', { 'experiments/here/a.jsonl': 'x\n' }, 'a.jsonl is no recorded exchange'],
  ])('with a cassette that %s are input to correct, before anything is made', async (_what, files, why) => {
    await using folder = await scratchProject({ ...PLANNED('mode: replay, cassette: here,'), ...files });
    const { project, trials } = await load(folder.dir);
    const refused = await requireModels({ env: {} }, project, trials).catch((error) => error);
    expect(refused).toBeInstanceOf(InputError);
    expect((refused as InputError).problems[0]?.message).toContain(why);
  });
});
