import { expect, it } from 'vitest';
import { NO_MACHINE_SETTINGS } from '../../../src/load/machine-settings.ts';
import { loadProject } from '../../../src/load/project.ts';
import { type Files, scratchProject } from './support/scratch-project.ts';

const CLAUDE = `schemaVersion: 1
id: claude
version: 1.0.0
title: claude
protocol: anthropic-messages
command: [sh, -c, "exit 0"]
discovery: { home: [.claude/skills], project: [], system: [] }
bundle: false
trajectory: none
`;
const SCRIPT = 'schemaVersion: 1\nrules:\n  - turns:\n      - text: Done.\n';

async function load(lines: string, configuration = '{ harness: claude, model: m }', more: Files = {}) {
  await using project = await scratchProject({
    'harnesses/claude/harness.yaml': CLAUDE,
    'experiments/demo.yaml': `schemaVersion: 1\nname: demo\nconfigurations:\n  - ${configuration}\n${lines}`,
    ...more,
  });
  const experimentPath = 'experiments/demo.yaml';
  const loaded = await loadProject({ experimentPath, root: project.dir, machine: NO_MACHINE_SETTINGS });
  const problems = (loaded.ok ? loaded.value.problems : loaded.error).filter(
    ({ severity }) => severity !== 'note',
  );
  return { project: loaded.ok ? loaded.value : undefined, problems };
}

it('without a word about models, accounts have the names of the protocols and the mode is live', async () => {
  const { project, problems } = await load('');
  expect(problems).toEqual([]);
  expect(project?.experiment.models).toMatchObject({ mode: 'live', providers: {} });
  expect(project?.script).toBeUndefined();
});

it('a script is read, and its content pins the run', async () => {
  const lines = 'models: { mode: scripted, script: ../script.yaml }\n';
  const { project } = await load(lines, undefined, { 'script.yaml': SCRIPT });
  const other = await load(lines, undefined, { 'script.yaml': SCRIPT.replace('Done.', 'Over.') });
  expect(project?.script?.value.rules).toHaveLength(1);
  expect(project?.script?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(other.project?.script?.digest).not.toBe(project?.script?.digest);
});

it.each([
  ['models: { mode: replay }\n', 5, 'models.mode is "replay" and there is no models.cassette'],
  ['models: { cassette: here }\n', 5, 'models.cassette has no effect with mode "live"'],
  [
    'models: { mode: record, cassette: here, script: x.yaml }\n',
    5,
    'models.script has no effect with mode "record"',
  ],
])('%j is an error with its line', async (lines, line, message) => {
  const { problems } = await load(lines);
  expect(problems).toMatchObject([{ severity: 'error', message, where: { line } }]);
  expect(problems[0]?.repair).toBeTruthy();
});

it('a script that is not there is an error that names it', async () => {
  const { problems } = await load('models: { mode: scripted, script: ../nowhere.yaml }\n');
  expect(problems).toMatchObject([{ severity: 'error', where: { file: 'nowhere.yaml' } }]);
});

it.each([
  ['provider: anthropic-mesages', 'there is no account "anthropic-mesages" under models.providers'],
  ['provider: gemini', 'the account "gemini" speaks gemini, the harness "claude" anthropic-messages'],
  ['provider: mine', 'the account "mine" speaks openai-chat, the harness "claude" anthropic-messages'],
])('a configuration with %j is an error at its place', async (provider, message) => {
  const providers = 'models: { providers: { mine: { protocol: openai-chat, keyEnv: KEY } } }\n';
  const { problems } = await load(providers, `{ harness: claude, model: m, ${provider} }`);
  expect(problems).toMatchObject([{ severity: 'error', message, where: { line: 4 } }]);
});

it('a provider for a harness without a model has no effect, which is a warning', async () => {
  const { problems } = await load('', '{ harness: nop, provider: gemini }');
  expect(problems).toMatchObject([
    { severity: 'warning', message: 'the harness "nop" uses no model: provider "gemini" has no effect' },
  ]);
});
