import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestBytes, digestValue } from '../../../src/base/digest.ts';
import { readTar } from '../../../src/engine/archive.ts';
import { EngineError } from '../../../src/engine/engine.ts';
import {
  GOOD_AGENT,
  INSTRUCTION,
  leftOf,
  RUN,
  runBench,
  SKILL_FOLDERS,
  SKILL_TEXT,
  SNAPSHOT,
  said,
  talk,
  taskYaml,
} from './run-bench.ts';

const SKILL_FILES = SKILL_FOLDERS.map((folder) => `${folder}/alpha/SKILL.md`);

describe.each(['no-skills', 'with-skills'] as const)('a trial of the %s arm', (condition) => {
  it('goes through its phases in order and is scored by the verifier', async () => {
    await using bench = await runBench();
    const record = await bench.runArm(condition);
    expect(record.outcome).toMatchObject({ kind: 'scored', verdict: { passed: true, reward: 1 } });
    expect(record.phases.map(({ phase }) => phase)).toEqual([
      'build',
      'build',
      'start',
      'inject',
      'check',
      'agent',
      'check',
      'verify',
    ]);
    expect(record.agent).toMatchObject({ ending: 'completed', exitCode: 0 });
    expect(await leftOf(bench)).toEqual([]);
  });

  it('tells each phase as it begins and ends, and the end of the trial last', async () => {
    await using bench = await runBench();
    await bench.runArm(condition);
    const told = bench.events.flatMap((event) => {
      if (event.kind === 'phase-started') return [`begin ${event.phase}`];
      if (event.kind === 'phase-ended') return [`end ${event.phase}`];
      return event.kind === 'trial-started' || event.kind === 'trial-ended' ? [event.kind] : [];
    });
    const one = (phase: string) => [`begin ${phase}`, `end ${phase}`];
    expect(told).toEqual([
      'trial-started',
      ...['build', 'build', 'start', 'inject', 'check', 'agent'].flatMap(one),
      'begin verify',
      ...one('check'),
      'end verify',
      'trial-ended',
    ]);
  });

  it('labels both containers with run, trial, attempt and owner', async () => {
    await using bench = await runBench();
    const { trial } = await bench.runArm(condition);
    const labels = bench.engine.made
      .filter(({ spec }) => spec.labels['skillpair.run'] !== undefined)
      .map(({ spec }) => spec.labels);
    expect(labels.map((own) => own['skillpair.kind'])).toEqual(['agent', 'verifier']);
    for (const own of labels) {
      expect(own).toMatchObject({
        'skillpair.managed': '1',
        'skillpair.run': RUN,
        'skillpair.trial': trial.id,
        'skillpair.attempt': '1',
        'skillpair.owner-pid': '4242',
      });
    }
  });

  it('gives the agent the instruction, byte for byte, and no file of the verifier', async () => {
    let seen: Record<string, string | undefined> = {};
    await using bench = await runBench({
      programs: {
        agent: (files) => {
          seen = {
            instruction: files.get('/opt/skillpair/trial/instruction.md')?.content.toString(),
            tests: [...files.keys()].find((path) => /^\/(tests|solution|logs)(\/|$)/.test(path)),
          };
          return GOOD_AGENT;
        },
      },
    });
    const record = await bench.runArm(condition);
    expect(seen).toEqual({ instruction: INSTRUCTION, tests: undefined });
    expect(record.digests.instruction).toBe(digestBytes(INSTRUCTION));
  });

  it('attests before and after that the container holds exactly what the condition says', async () => {
    await using bench = await runBench();
    const { attestation } = await bench.runArm(condition);
    const expected = condition === 'no-skills' ? [] : SKILL_FILES;
    for (const found of [attestation.before, attestation.after]) {
      expect(found).toMatchObject({ skillFiles: expected, violations: [] });
      expect(found?.found).toBe(found?.expected);
    }
  });

  it('keeps streams, verifier report and outputs as evidence', async () => {
    await using bench = await runBench();
    const record = await bench.runArm(condition);
    expect(record.evidence).toEqual([
      'agent/stderr.log',
      'agent/stdout.log',
      'artifacts/outputs.tar',
      'verifier/logs/verifier/reward.txt',
      'verifier/stderr.log',
      'verifier/stdout.log',
    ]);
    const dir = join(bench.dir, 'evidence', record.trial.id, '1');
    expect(await readFile(join(dir, 'agent/stdout.log'), 'utf8')).toBe(talk());
    expect(await readFile(join(dir, 'verifier/stdout.log'), 'utf8')).toBe('verified\n');
  });
});

describe('the arms of a pair', () => {
  it('run from one image, by its id, with the same command, limits and environment', async () => {
    await using bench = await runBench();
    await bench.run();
    const [one, two] = bench.records;
    expect(one?.images.task).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(two?.images).toEqual(one?.images);
    expect(two?.limits).toEqual(one?.limits);
    const agents = bench.engine.made.filter(({ spec }) => spec.labels['skillpair.kind'] === 'agent');
    const [first, second] = agents.map(({ spec: { name: _name, labels: _labels, ...same } }) => same);
    expect(first?.image).toBe(one?.images.task);
    expect(second).toEqual(first);
  });

  it('differ in the digest of what was injected, and that of no Skills is that of the empty list', async () => {
    await using bench = await runBench();
    await bench.run();
    const bundle = (condition: string) =>
      bench.records.find(({ trial }) => trial.condition === condition)?.digests.bundle;
    expect(bundle('no-skills')).toBe(digestValue([]));
    expect(bundle('with-skills')).not.toBe(bundle('no-skills'));
  });

  it('build the image once, and one whose Skill has changed keeps the image', async () => {
    await using bench = await runBench();
    await bench.run();
    expect(bench.engine.callsOf('build')).toHaveLength(1);
    await using changed = await runBench({ files: { 'skills/alpha/SKILL.md': `${SKILL_TEXT}More.\n` } });
    await changed.run();
    expect(changed.records[0]?.images.task).toBe(bench.records[0]?.images.task);
    const bundles = [bench, changed].map(
      ({ records }) => records.find(({ trial }) => trial.condition === 'with-skills')?.digests.bundle,
    );
    expect(bundles[0]).not.toBe(bundles[1]);
  });
});

describe('injected Skills', () => {
  it('belong to the agent’s user with every folder made on the way, in modes that no umask touches', async () => {
    await using bench = await runBench();
    await bench.runArm('with-skills');
    const agent = bench.engine.made.find(({ spec }) => spec.labels['skillpair.kind'] === 'agent');
    const owned = [...(agent?.files ?? [])]
      .filter(([path]) => path.includes('/.agents'))
      .map(([path, { uid, gid, mode }]) => [path, uid, gid, mode.toString(8)]);
    const below = (folder: string) => [
      [`${folder}`, 1000, 1000, '755'],
      [`${folder}/skills`, 1000, 1000, '755'],
      [`${folder}/skills/alpha`, 1000, 1000, '755'],
      [`${folder}/skills/alpha/SKILL.md`, 1000, 1000, '644'],
      [`${folder}/skills/alpha/references`, 1000, 1000, '755'],
      [`${folder}/skills/alpha/references/how.md`, 1000, 1000, '644'],
    ];
    expect(owned.sort()).toEqual([...below('/home/agent/.agents'), ...below('/workspace/.agents')].sort());
  });
});

describe('the oracle', () => {
  const experiment = 'configurations: [{ harness: oracle }]\nattempts: { max: 1 }\n';
  it('gets the solution, and no other harness does', async () => {
    let solution: string | undefined;
    await using bench = await runBench({
      experiment,
      programs: {
        'bash /solution/solve.sh': (files) => {
          solution = files.get('/solution/solve.sh')?.content.toString();
          return GOOD_AGENT;
        },
      },
    });
    expect(said((await bench.runArm('no-skills')).outcome)).toBe('passed');
    expect(solution).toBe('echo 42\n');
  });
});

describe('an agent that does nothing', () => {
  it('fails, scored', async () => {
    await using bench = await runBench({
      experiment: 'configurations: [{ harness: nop }]\n',
      programs: { nop: {} },
    });
    await bench.run();
    expect(bench.records.map(({ outcome }) => said(outcome))).toEqual(['failed', 'failed']);
  });
});

describe('isolation outputs', () => {
  it('shows the verifier the pristine image and the outputs, and nothing else of the agent', async () => {
    let seen: string[] = [];
    await using bench = await runBench({
      programs: {
        agent: {
          ...GOOD_AGENT,
          changedFiles: {
            '/workspace/out/answer.txt': '42\n',
            '/workspace/conftest.py': 'cheat',
            '/usr/bin/python3': 'cheat',
          },
        },
        'bash /tests/test.sh': (files) => {
          seen = ['/workspace/out/answer.txt', '/workspace/conftest.py', '/usr/bin/python3'].map(
            (path) => files.get(path)?.content.toString() ?? 'absent',
          );
          return { changedFiles: { '/logs/verifier/reward.txt': '1' } };
        },
      },
    });
    const record = await bench.runArm('no-skills');
    expect(seen).toEqual(['42\n', 'absent', 'python']);
    expect(record.images.verifier).toBe(record.images.task);
  });

  it('keeps the outputs so that they can be verified again', async () => {
    await using bench = await runBench();
    const { trial } = await bench.runArm('no-skills');
    const paths: string[] = [];
    const tar = createReadStream(join(bench.dir, 'evidence', trial.id, '1', 'artifacts/outputs.tar'));
    for await (const { path } of readTar(tar)) paths.push(path);
    expect(paths).toEqual(['workspace/out', 'workspace/out/answer.txt']);
  });

  it('removes the agent’s container while the verifier still runs', async () => {
    await using bench = await runBench({
      programs: {
        'bash /tests/test.sh': async () => {
          while (bench.engine.leftovers().some((name) => name.endsWith('-agent'))) await Promise.resolve();
          return { changedFiles: { '/logs/verifier/reward.txt': '1' } };
        },
      },
    });
    expect(said((await bench.runArm('no-skills')).outcome)).toBe('passed');
  });
});

describe('isolation snapshot', () => {
  const files = { 'tasks/demo/task.yaml': taskYaml(SNAPSHOT) };
  const agent = (changedFiles: NonNullable<(typeof GOOD_AGENT)['changedFiles']>) => ({
    agent: { stdout: talk(), changedFiles: { '/workspace/out/answer.txt': '42\n', ...changedFiles } },
  });

  it('shows the verifier all that the agent left, in an image of its own that goes', async () => {
    let seen: string | undefined;
    await using bench = await runBench({
      files,
      programs: {
        ...agent({ '/etc/service.conf': 'on' }),
        'bash /tests/test.sh': (all) => {
          seen = all.get('/etc/service.conf')?.content.toString();
          return { changedFiles: { '/logs/verifier/reward.txt': '1' } };
        },
      },
    });
    const record = await bench.runArm('with-skills');
    expect([seen, said(record.outcome)]).toEqual(['on', 'passed']);
    expect(record.images.verifier).not.toBe(record.images.task);
    expect(await leftOf(bench)).toEqual([]);
    expect(bench.engine.callsOf('removeImage')).toEqual([record.images.verifier]);
  });

  it('puts changed programs back, takes planted ones away, wipes the verifier’s folders, and says so', async () => {
    const seen: Record<string, string> = {};
    await using bench = await runBench({
      files,
      programs: {
        ...agent({
          '/usr/bin/python3': 'cheat',
          '/usr/local/bin/python3': 'cheat',
          '/root/.curlrc': 'cheat',
          '/pytest.ini': 'cheat',
          '/logs/verifier/reward.txt': '1',
          '/tests/conftest.py': 'cheat',
        }),
        'bash /tests/test.sh': (all) => {
          for (const path of [
            '/usr/bin/python3',
            '/usr/local/bin/python3',
            '/root/.curlrc',
            '/logs/verifier/reward.txt',
            '/tests/conftest.py',
            '/tests/expected/answer.txt',
          ])
            seen[path] = all.get(path)?.content.toString() ?? 'absent';
          seen['/pytest.ini'] = all.get('/pytest.ini')?.kind ?? 'absent';
          return { changedFiles: { '/logs/verifier/reward.txt': '0' } };
        },
      },
    });
    const record = await bench.runArm('no-skills');
    expect(seen).toEqual({
      '/usr/bin/python3': 'python',
      '/usr/local/bin/python3': '',
      '/root/.curlrc': '',
      '/pytest.ini': 'link',
      '/logs/verifier/reward.txt': 'absent',
      '/tests/conftest.py': 'absent',
      '/tests/expected/answer.txt': '42\n',
    });
    expect(said(record.outcome)).toBe('failed');
    expect(record.notices.map(({ code, paths }) => [code, paths])).toEqual([
      ['restored', ['/usr/bin/python3']],
      ['removed', ['/pytest.ini', '/root/.curlrc', '/usr/local/bin/python3']],
      ['emptied', ['/tests', '/logs/verifier']],
    ]);
    expect(await leftOf(bench)).toEqual([]);
  });

  it('puts back a folder of the library that was deleted, and one that a link stands in for, with all that was in it', async () => {
    const seen: Record<string, string> = {};
    const lib = '/usr/lib/python3.11';
    await using bench = await runBench({
      files,
      base: { [`${lib}/json/decoder.py`]: 'json', '/usr/local/bin/tool': 'tool' },
      programs: {
        ...agent({
          [`${lib}/json`]: null,
          '/usr/local/bin': { kind: 'link', target: '/opt/evil' },
          '/usr/local/bin/tool': null,
          '/opt/evil/python3': 'cheat',
        }),
        'bash /tests/test.sh': (all) => {
          for (const path of [`${lib}/json/decoder.py`, '/usr/local/bin', '/usr/local/bin/tool'])
            seen[path] = `${all.get(path)?.kind} ${all.get(path)?.content}`;
          return { changedFiles: { '/logs/verifier/reward.txt': '1' } };
        },
      },
    });
    const { notices } = await bench.runArm('no-skills');
    expect(seen).toEqual({
      [`${lib}/json/decoder.py`]: 'file json',
      '/usr/local/bin': 'folder ',
      '/usr/local/bin/tool': 'file tool',
    });
    expect(notices.map(({ code }) => code)).toEqual(['restored']);
    expect(notices[0]?.paths).toEqual(expect.arrayContaining([`${lib}/json`, '/usr/local/bin']));
  });

  it('labels the snapshot and the pristine container like everything else', async () => {
    const labels: (string | undefined)[] = [];
    await using bench = await runBench({
      files,
      programs: {
        ...agent({ '/usr/bin/python3': 'cheat' }),
        'bash /tests/test.sh': () => {
          for (const image of bench.engine.images.values())
            if (image.labels['skillpair.run'] === RUN) labels.push(image.labels['skillpair.kind']);
          return { changedFiles: { '/logs/verifier/reward.txt': '1' } };
        },
      },
    });
    await bench.runArm('no-skills');
    expect(labels).toEqual(['snapshot']);
    const kinds = bench.engine.made.map(({ spec }) => spec.labels['skillpair.kind']);
    expect(kinds.filter((kind) => kind === 'pristine')).toHaveLength(1);
    for (const { spec } of bench.engine.made) expect(spec.labels['skillpair.owner-pid']).toMatch(/^\d+$/);
  });
});

describe('a volume that the image declares', () => {
  const files = { 'tasks/demo/task.yaml': taskYaml(SNAPSHOT) };

  it('reaches the verifier of a snapshot with what the agent left in it', async () => {
    await using bench = await runBench({ files, baseImage: { volumes: ['/workspace'] } });
    const { outcome, notices } = await bench.runArm('no-skills');
    expect(said(outcome)).toBe('passed');
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'volumes-copied', paths: ['/workspace'] }),
    );
  });

  it('reaches it not where it holds a folder of the verifier', async () => {
    const agent = { stdout: talk(), changedFiles: { '/logs/verifier/reward.txt': '1' } };
    const programs = { agent, 'bash /tests/test.sh': {} };
    await using bench = await runBench({ files, programs, baseImage: { volumes: ['/logs'] } });
    const { outcome } = await bench.runArm('no-skills');
    expect(said(outcome)).toBe('verifier-error');
  });
});

describe('a container that cannot be listed after the agent', () => {
  it.each([
    ['passed', GOOD_AGENT],
    ['failed', { stdout: talk() }],
  ])('keeps its verdict: %s', async (verdict, exit) => {
    const agent = () => {
      bench.engine.failNext('changes', new EngineError('list changes', 'other', 'file name too long'));
      return exit;
    };
    await using bench = await runBench({ programs: { agent } });
    const { outcome, notices } = await bench.runArm('no-skills');
    expect(said(outcome)).toBe(verdict);
    expect(notices).toContainEqual(expect.objectContaining({ code: 'not-attested' }));
  });
});

describe('the version of a trial’s harness', () => {
  const ASKED = '/opt/skillpair/harness/asked/bin/asked --version';
  const files = {
    'harnesses/asked/harness.yaml': `schemaVersion: 1
id: asked
version: 1.2.0
title: asked
command: [agent, "{instruction}"]
discovery: { home: [.agents/skills], project: [], system: [] }
bundle: true
trajectory: literal
versionCommand: ["{bundle}/bin/asked", --version]
`,
    'harnesses/asked/bin/asked': 'a program',
    'harnesses/asked/Dockerfile': 'FROM skillpair/base:1\nCOPY bin /opt/skillpair/harness/asked/bin\n',
  };
  const experiment = 'configurations: [{ harness: asked }]\nattempts: { max: 1 }\n';

  it('is in the record as the program said it', async () => {
    const programs = { [ASKED]: { stdout: 'asked 1.2.0\n' } };
    await using bench = await runBench({ files, experiment, programs });
    expect(await bench.runArm('no-skills')).toMatchObject({
      outcome: { kind: 'scored' },
      harnessVersion: 'asked 1.2.0',
    });
  });

  it('leaves the trial unscored before it starts where the program says another one', async () => {
    const programs = { [ASKED]: { stdout: 'asked 1.2.1\n' } };
    await using bench = await runBench({ files, experiment, programs });
    const record = await bench.runArm('no-skills');
    expect(record.outcome).toMatchObject({
      kind: 'unscored',
      reason: 'harness-install-failed',
      phase: 'build',
    });
    expect(record).not.toHaveProperty('harnessVersion');
    expect(bench.engine.callsOf('runMain')).toEqual([ASKED]);
  });

  it('is absent for a harness that cannot be asked', async () => {
    await using bench = await runBench();
    expect(await bench.runArm('no-skills')).not.toHaveProperty('harnessVersion');
  });
});
