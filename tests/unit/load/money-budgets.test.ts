import { expect, it } from 'vitest';
import { NO_MACHINE_SETTINGS } from '../../../src/load/machine-settings.ts';
import { loadProject } from '../../../src/load/project.ts';
import { scratchProject } from './support/scratch-project.ts';

const ASKER = `schemaVersion: 1
id: asker
version: 1.0.0
title: asker
protocol: anthropic-messages
command: [sh, -c, "exit 0", "{model}", "{gateway}", "{token}"]
discovery: { home: [.asker/skills], project: [], system: [] }
bundle: false
trajectory: none
`;

async function problemsOf(model: string, models: string) {
  const experiment = `schemaVersion: 1
name: demo
configurations:
  - harness: asker
    model: ${model}
models: ${models}
`;
  await using project = await scratchProject({
    'harnesses/asker/harness.yaml': ASKER,
    'experiments/demo.yaml': experiment,
  });
  const loaded = await loadProject({
    experimentPath: 'experiments/demo.yaml',
    root: project.dir,
    machine: NO_MACHINE_SETTINGS,
  });
  const problems = loaded.ok ? loaded.value.problems : loaded.error;
  return problems.map(({ message, where, repair }) => ({ message, line: where?.line, repair }));
}

it('a budget in dollars is a problem with a model whose price is not known, at the model’s place', async () => {
  expect(await problemsOf('model-x', '{ budgets: { run: { usd: 3 } } }')).toEqual([
    {
      message: 'models.budgets.run.usd cannot hold the model "model-x": its price is not known',
      line: 5,
      repair:
        "write the provider's own name of the model, or a budget of tokens in the place of dollars: models.budgets.run.tokens",
    },
  ]);
});

it.each([
  ['claude-sonnet-4-20250514', '{ budgets: { run: { usd: 3 } } }', 'its price is known'],
  ['model-x', '{ budgets: { run: { tokens: 3 } } }', 'tokens need no price'],
  ['model-x', '{ mode: scripted, budgets: { run: { usd: 3 } } }', 'a script costs nothing'],
])('%s with %s loads without a word: %s', async (model, models) => {
  expect(await problemsOf(model, models)).toEqual([]);
});
