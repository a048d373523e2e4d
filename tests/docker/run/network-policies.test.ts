import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { leftOf, removeTaskImages } from './docker-rig.ts';
import { placeOf, probeHarness } from './probe-harness.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', 'scripts', 'skillpair.mjs');
const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';
const LABEL = 'skillpair-test=network-policies';
const SERVE =
  'import http.server; http.server.test(http.server.SimpleHTTPRequestHandler, port=8000, bind="0.0.0.0")';

describe('the network that a task asks for', () => {
  let rig: Rig;
  const servers: string[] = [];
  const runs: string[] = [];
  const at = { allowed: '', other: '' };

  beforeAll(async () => {
    rig = await makeRig();
    const [allowed, other] = await Promise.all([serve(), serve()]);
    const { stdout: registry } = await execa('npm', ['config', 'get', 'registry']);
    Object.assign(at, { allowed, other });
    const places = { allowed, other, outside: placeOf(new URL(registry)) };
    await rig.addSkill('alpha');
    await rig.write({
      'harnesses/probe/harness.yaml': probeHarness(places, 'protocol: openai-chat\n'),
      'harnesses/plain/harness.yaml': probeHarness(places, ''),
    });
    for (const [id, network] of [
      ['np-none', 'network: none'],
      ['np-internet', 'network: internet'],
      ['np-allowlist', `network: allowlist, allowHosts: ["${allowed}"]`],
    ] as const) {
      await rig.addTask(id, {
        skills: ['alpha'],
        yaml: `environment: { ${network} }\nverifier: { outputs: [/workspace/out] }\nskills: [alpha]\n`,
      });
    }
  }, 120_000);
  afterAll(async () => {
    for (const id of servers) await execa('docker', ['rm', '-f', id]);
    await removeTaskImages('np-none', 'np-internet', 'np-allowlist');
    await rig[Symbol.asyncDispose]();
  });

  /** A server in a container of its own on the engine's default bridge; returns its address. */
  const serve = async (): Promise<string> => {
    const { stdout: id } = await execa('docker', [
      ...['run', '-d', '--init', '--label', LABEL, BASE],
      ...['python3', '-c', SERVE],
    ]);
    servers.push(id);
    const format = '{{.NetworkSettings.IPAddress}}';
    return (await execa('docker', ['inspect', '-f', format, id])).stdout;
  };

  /** What the probe saw in each arm of a task. */
  const probe = async (harness: 'probe' | 'plain', task: string): Promise<readonly string[]> => {
    const model = harness === 'probe' ? ', model: any' : '';
    const experiment = await rig.addExperiment(
      `${harness}-${task}`,
      `tasks: { folders: [../tasks], include: [${task}] }\nconfigurations: [{ harness: ${harness}${model} }]\nmodels: { mode: scripted }\n`,
    );
    const run = `${harness}-${task}-${process.pid}`;
    runs.push(run);
    const ran = await rig.run(['run', experiment, '--run-id', run]);
    const records = attemptsOf(await rig.record(run));
    expect(records, ran.stderr).toHaveLength(2);
    return Promise.all(
      records.map(({ trial, attempt }) =>
        readFile(join(rig.dir, 'runs', run, 'trials', trial.id, String(attempt), 'agent/stdout.log'), 'utf8'),
      ),
    );
  };

  it('none: the gateway alone, with the trial’s own key alone, the same in both arms', async () => {
    const seen = await probe('probe', 'np-none');
    const expected =
      'gateway 200\nstranger 401\nALLOWED straight no\nALLOWED proxied no\nOTHER straight no\nOTHER proxied no\nway out no\n';
    expect(seen).toEqual([expected, expected]);
  });

  it('none without a model: nothing at all', async () => {
    const seen = await probe('plain', 'np-none');
    const expected =
      'ALLOWED straight no\nALLOWED proxied no\nOTHER straight no\nOTHER proxied no\nway out no\n';
    expect(seen).toEqual([expected, expected]);
  });

  it('allowlist: the named hosts by the proxy, no other, and nothing past the proxy', async () => {
    const seen = await probe('probe', 'np-allowlist');
    const expected =
      'gateway 200\nstranger 401\nALLOWED straight no\nALLOWED proxied 200\nOTHER straight no\nOTHER proxied 403\nway out no\n';
    expect(seen).toEqual([expected, expected]);
  });

  it('allowlist holds for a harness without a model too', async () => {
    const seen = await probe('plain', 'np-allowlist');
    const expected =
      'ALLOWED straight no\nALLOWED proxied 200\nOTHER straight no\nOTHER proxied 403\nway out no\n';
    expect(seen).toEqual([expected, expected]);
  });

  it('allowlist holds for a person who tries the task', async () => {
    const asked = ({ allowed, other }: typeof at) =>
      [allowed, other].map(
        (host) =>
          `python3 -c 'import urllib.request as r; print("SAW", r.urlopen("http://${host}:8000/", timeout=20).status)' 2>&1 | tail -n 1`,
      );
    const { stdout, stderr } = await execa(CLI, ['try', 'np-allowlist'], {
      cwd: rig.dir,
      input: `${asked(at).join('\n')}\n`,
      reject: false,
    });
    expect(stdout + stderr).toMatch(/^SAW 200$/m);
    expect(stdout + stderr).toMatch(/HTTPError: HTTP Error 403/);
  });

  it('internet: the gateway and a way out', async () => {
    const seen = await probe('probe', 'np-internet');
    for (const lines of seen) {
      expect(lines).toContain('gateway 200\nstranger 401\n');
      expect(lines).toContain('way out yes\n');
    }
    expect(seen[0]).toBe(seen[1]);
  });

  it('leaves no network and no container behind', async () => {
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(await leftOf(run)).toEqual([]);
  });
});
