import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTRACT_CASES } from '../../../../src/cli/contract/contract-case.ts';
import { writeCaseFiles } from '../../../../src/cli/contract/contract-files.ts';
import { makeCanary } from '../../../../src/harness/canary.ts';
import { loadHarnessFolder } from '../../../../src/load/harnesses.ts';
import { NO_MACHINE_SETTINGS } from '../../../../src/load/machine-settings.ts';
import { loadProject } from '../../../../src/load/project.ts';
import { ROOT } from '../../../support/pages.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const CANARY = makeCanary('test');
/** No gain is wanted of these: the one arm is the case. */
const ONE_ARM = { severity: 'note', message: expect.stringContaining('is the only condition') as string };
/** The most that Linux lets one argument of a program have. */
const LONGEST_ARGUMENT = 131_072;

async function written(id: string, contractCase: (typeof CONTRACT_CASES)[number]) {
  const folder = await temporaryFolder();
  const { harnesses } = await loadHarnessFolder(join(ROOT, 'harnesses'));
  const harness = harnesses.get(id);
  if (harness === undefined) throw new Error(`no harness ${id}`);
  const from = { contractCase, harness, canary: CANARY, model: 'scripted-model' };
  const experimentPath = await writeCaseFiles(folder.path, from);
  const project = await loadProject({ experimentPath, root: folder.path, machine: NO_MACHINE_SETTINGS });
  return { ...folder, project };
}

describe.each(CONTRACT_CASES.map((one) => [one.name, one] as const))('case %s', (_name, contractCase) => {
  test('loads without a warning as one trial of one task', async () => {
    await using made = await written('codex', contractCase);
    expect(made.project).toMatchObject({
      ok: true,
      value: {
        problems: [ONE_ARM],
        experiment: { conditions: [contractCase.condition], trials: 1, attempts: { max: 1 } },
        configurations: [{ name: 'checked', harness: 'codex', model: 'scripted-model' }],
        tasks: [{ id: 'canary', skills: [{ name: CANARY.name }] }],
        script: { value: { rules: [{ when: { instruction: expect.any(String) as string } }] } },
      },
    });
  });

  test('has the token in its Skill and its tests alone, and an instruction of the wanted length', async () => {
    await using made = await written('codex', contractCase);
    const read = (path: string) => readFile(join(made.path, path), 'utf8');
    const instruction = await read('tasks/canary/instruction.md');
    expect(instruction).not.toContain(CANARY.token);
    expect(await read(`skills/${CANARY.name}/SKILL.md`)).toContain(`The token is ${CANARY.token}`);
    expect(await read('tasks/canary/tests/test_outputs.py')).toContain(CANARY.token);
    const isLong = contractCase.name === 'long-instruction';
    expect(instruction.length > LONGEST_ARGUMENT).toBe(isLong);
    if (isLong) expect(instruction.length).toBeGreaterThanOrEqual(200 * 1024);
  });
});

/** The time limit, what another model's answer means, and what silence is a provider's failure, as loaded. */
async function limitsOf(name: string) {
  const contractCase = CONTRACT_CASES.find((one) => one.name === name);
  if (contractCase === undefined) throw new Error(`no case ${name}`);
  await using made = await written('codex', contractCase);
  if (!made.project.ok) throw new Error('it does not load');
  const { experiment, tasks } = made.project.value;
  const { servedModelDiffers, stalledAfterSeconds } = experiment.models;
  return [tasks[0]?.agent.timeoutMs, servedModelDiffers, stalledAfterSeconds];
}

test('a case has its own time where no program would give up before, and voids where it is told to', async () => {
  expect(await limitsOf('status-500')).toEqual([120_000, 'record', 300]);
  expect(await limitsOf('stall')).toEqual([45_000, 'record', 15]);
  expect(await limitsOf('served-model')).toEqual([120_000, 'record', 300]);
  expect(await limitsOf('served-model-void')).toEqual([120_000, 'void', 300]);
});

test('a harness without a model is given none, and no script', async () => {
  const [canary] = CONTRACT_CASES;
  if (canary === undefined) throw new Error('no cases');
  await using made = await written('literal', canary);
  expect(made.project).toMatchObject({ ok: true, value: { problems: [ONE_ARM] } });
  expect(made.project.ok && made.project.value.script).toBe(undefined);
  expect((await stat(join(made.path, 'experiment.yaml'))).isFile()).toBe(true);
});
