import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinDiscovery, loadDiscovery } from '../../../src/load/discovery-file.ts';
import { loadExperiment } from '../../../src/load/experiment.ts';
import { loadHarnesses } from '../../../src/load/harnesses.ts';
import { NO_MACHINE_SETTINGS } from '../../../src/load/machine-settings.ts';
import { type Files, scratchProject } from './support/scratch-project.ts';

const PROJECT = join(import.meta.dirname, '../../..');

async function load(changes: Files, dir?: string) {
  await using project = await scratchProject(changes);
  const loaded = await loadExperiment(join(project.dir, 'experiments/demo.yaml'), NO_MACHINE_SETTINGS);
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join());
  const { file, configurations } = loaded.value;
  return await loadHarnesses({ dir: dir ?? join(project.dir, 'harnesses'), file, configurations });
}

const said = (problems: readonly { severity: string; message: string }[]) =>
  problems.map(({ severity, message }) => `${severity}: ${message}`);

const configure = (rest: string) => ({
  'experiments/demo.yaml': `schemaVersion: 1\nname: demo\nconfigurations:\n${rest}`,
});

describe('the harnesses of this project', () => {
  it('include oracle and nop, which need neither a bundle nor a model', async () => {
    const { harnesses, problems } = await load(
      configure('  - harness: oracle\n  - harness: nop\n'),
      join(PROJECT, 'harnesses'),
    );
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([...harnesses.values()].map(({ manifest }) => [manifest.special, manifest.bundle])).toEqual([
      ['nop', false],
      ['oracle', false],
    ]);
  });

  it('look for Skills in every agent folder that public tasks copy theirs to', async () => {
    const { discovery, problems } = await loadDiscovery(join(PROJECT, 'harnesses'));
    expect(problems).toEqual([]);
    const copied = [
      '.qwen',
      '.gemini',
      '.claude',
      '.codex',
      '.agents',
      '.goose',
      '.factory',
      '.cursor',
      '.github',
      '.terminus',
    ];
    for (const agent of copied) expect(discovery.home).toContain(`${agent}/skills`);
    expect(discovery.home).toEqual(expect.arrayContaining(['.opencode/skill', '.opencode/skills']));
    expect(discovery.project).toEqual(
      expect.arrayContaining(['.claude/skills', '.opencode/skill', '.cursor/skills']),
    );
    expect(discovery.system).toContain('/etc/claude-code/.claude/skills');
  });
});

describe('a folder of harnesses', () => {
  it('refuses a harness whose id is not its folder, or whose bundle has no Dockerfile', async () => {
    const manifest = `schemaVersion: 1
id: other
version: 1.0.0
title: T
command: [x]
discovery: { home: ["/root/.x/skills"], project: [], system: [etc/x] }
bundle: true
trajectory: none
`;
    const { harnesses, problems } = await load({ 'harnesses/nop/harness.yaml': manifest });
    expect(harnesses.size).toBe(0);
    expect(said(problems)).toEqual([
      'error: "/root/.x/skills" is no folder of Skills: home and project folders are relative, system folders absolute',
      'error: "etc/x" is no folder of Skills: home and project folders are relative, system folders absolute',
      'error: the id "other" differs from the folder\'s name, "nop"',
      'error: the harness has a bundle and no Dockerfile to build it',
    ]);
  });

  it('refuses a misspelt placeholder wherever it would be filled in, with its place, and of settings files warns of near ones', async () => {
    const manifest = `schemaVersion: 1
id: nop
version: 1.0.0
title: T
command: [x, "{prompt}", "{model}"]
env:
  URL: "{gatway}/v1"
files:
  - path: "{home}/.x.toml"
    content: 'key = "{tokn}" # {whatever} {"home": 1}'
discovery: { home: [.x/skills], project: [], system: [] }
bundle: false
trajectory: none
versionCommand: ["{bundel}/x", "{home}/y"]
sessionPaths: ["{home}/logs", "{hom}/logs"]
`;
    const { harnesses, problems } = await load({ 'harnesses/nop/harness.yaml': manifest });
    expect(harnesses.size).toBe(0);
    expect(
      problems.map(({ severity, message, where }) => [severity, message.split(' ')[0], where?.line]),
    ).toEqual([
      ['error', '"{prompt}"', 5],
      ['error', '"{gatway}"', 7],
      ['error', '"{bundel}"', 14],
      ['error', '"{hom}"', 15],
      ['error', '"{home}"', 14],
      ['warning', '"{tokn}"', 10],
    ]);
    expect(problems.map(({ repair }) => repair?.split(' Braces')[0])).toEqual([
      'use one of: {instruction}, {bundle}, {home}, {workdir}, {model}, {gateway}, {token}.',
      'did you mean "{gateway}"?',
      'did you mean "{bundle}"?',
      'did you mean "{home}"?',
      'name the program by its path in the bundle, such as "{bundle}/bin/agent"',
      'did you mean "{token}"?',
    ]);
  });

  it('warns without discovery.yaml, and of a model that has no effect', async () => {
    const { problems } = await load({
      'harnesses/discovery.yaml': null,
      ...configure('  - harness: nop\n    model: big\n'),
    });
    expect(said(problems)).toEqual([
      'warning: there is no discovery.yaml: Skills in folders of agents that are not described here would not be found',
      'warning: the harness "nop" uses no model: "big" has no effect',
    ]);
  });

  it('says that it holds none, once, rather than that each is missing', async () => {
    const { problems } = await load(configure('  - harness: nop\n  - harness: oracle\n'), '/nowhere');
    expect(said(problems.filter(({ severity }) => severity === 'error'))).toEqual([
      'error: there are no harnesses in /nowhere',
    ]);
  });

  it('gives a harness another digest when any of its files changes', async () => {
    const digest = async (changes: Files) => (await load(changes)).harnesses.get('nop')?.digest;
    const plain = await digest({});
    expect(await digest({})).toBe(plain);
    expect(await digest({ 'harnesses/nop/Dockerfile': 'FROM scratch\n' })).not.toBe(plain);
  });
});

it('joins discoveries, each folder once and sorted', () => {
  const one = { home: ['b', 'a'], project: [], system: ['/x'] };
  expect(joinDiscovery([one, { home: ['a', 'c'], project: ['p'], system: [] }])).toEqual({
    home: ['a', 'b', 'c'],
    project: ['p'],
    system: ['/x'],
  });
});
