import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOwnEngine, type OwnEngine } from '../../support/own-engine.ts';
import { attemptsOf, type Running } from '../../support/rig.ts';
import { type DockerRig, leftOf, makeDockerRig } from './docker-rig.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Of the task whose verifier takes its time, and not its agent. */
const QUICK = 'RUN touch /quick\n';
/** Told to end early, it ends as one that has done its work. */
const WORK = `if [ ! -e /quick ]; then trap 'exit 0' TERM; sleep 6 & wait $!; fi
mkdir -p /workspace/out
head -c 4M /dev/urandom > /var/tmp/notes && echo 42 > /workspace/out/answer.txt
`;
/** Says 0 where it is disturbed, or cannot write. */
const CHECK = `echo 0 > /logs/verifier/reward.txt
if [ -e /quick ]; then trap 'exit 0' TERM; sleep 5 & wait $!; fi
head -c 4M /dev/urandom > /var/tmp/notes && [ "$(cat /workspace/out/answer.txt)" = 42 ] && echo 1 > /logs/verifier/reward.txt
`;
const VERIFIER = 'verifier: { kind: script, isolation: outputs, outputs: [/workspace/out] }\nskills: []\n';
const HARNESS = `schemaVersion: 1
id: slow
version: 1.0.0
title: Takes its time
command: [bash, -c, ${JSON.stringify(WORK)}]
discovery: { home: [.agents/skills], project: [], system: [] }
bundle: false
trajectory: none
`;

describe('a run on an engine that is restarted, and whose disk and addresses run out', () => {
  let rig: DockerRig;
  let engine: OwnEngine;
  let env: Record<string, string>;
  let bridge: string;

  beforeAll(async () => {
    bridge = await bridgeOfMachine();
    rig = await makeDockerRig();
    engine = await makeOwnEngine({ diskBytes: 2300 * 2 ** 20, networks: 2 });
    env = { DOCKER_HOST: engine.address, SKILLPAIR_MACHINE_FILE: join(rig.dir, 'machine.yaml') };
    await engine.take(...(await baseImages()));
    const machine = await readFile(join(ROOT, '.skillpair/machine.yaml'), 'utf8').catch(() => '');
    await rig.write({
      'machine.yaml': `${machine}\nmodels: { reach: relay, hostAddress: ${engine.hostAddress} }\n`,
      'harnesses/slow/harness.yaml': HARNESS,
      'harnesses/asks/harness.yaml': `${HARNESS.replace('id: slow', 'id: asks')}protocol: openai-chat\n`,
    });
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    expect(await bridgeOfMachine()).toBe(bridge);
  });

  /** One task whose agent takes its time and one whose verifier does. */
  const addTasks = async (name: string, steps: string) => {
    const more = { script: CHECK, yaml: VERIFIER };
    await rig.addTask(`${name}-agent`, { ...more, dockerfile: `FROM skillpair/base:1\n${steps}` });
    await rig.addTask(`${name}-verifier`, { ...more, dockerfile: `FROM skillpair/base:1\n${steps}${QUICK}` });
  };
  const begin = async (name: string, lines = '', harness = 'configurations: [{ harness: slow }]') => {
    const run = rig.runId();
    const tasks = `tasks: { include: ["${name}-*"] }\nconditions: [no-skills]\nattempts: { max: 3 }\n`;
    const path = await rig.addExperiment(name, `${harness}\nconcurrency: 2\n${tasks}${lines}`);
    return { run, going: rig.start(['run', path, '--run-id', run], env) };
  };
  /** Resolves while a container of the run of each of these kinds is at work. */
  const atWork = async (wanted: readonly string[], run: string, going: Running) => {
    const kinds = new Set<string>();
    const format = '{{.Label "skillpair.kind"}}';
    while (!wanted.every((kind) => kinds.has(kind))) {
      kinds.clear();
      const text = await engine.docker('ps', '--filter', `label=skillpair.run=${run}`, '--format', format);
      for (const kind of text.split('\n')) kinds.add(kind);
      if (going.process.exitCode !== null) throw new Error(`it has ended: ${(await going.done).stderr}`);
    }
  };
  /** What it came to, the reasons of attempts without a verdict, and what is left on the engine. */
  const end = async (run: string, going: Running) => {
    const { code, stderr } = await going.done;
    const record = await rig.record(run);
    const passed = record.trials.map(({ outcome }) => outcome.kind === 'scored' && outcome.verdict.passed);
    const lost = attemptsOf(record).flatMap(({ outcome }) =>
      outcome.kind === 'unscored' ? [`${outcome.reason} in ${outcome.phase}`] : [],
    );
    return { stderr, ended: { code, passed, lost: lost.sort(), left: await leftOf(run, env) } };
  };

  it('restarted at once, then killed and away for 20 s: scores nothing of what was at work, waits, and then scores all', async () => {
    await addTasks('restart', '');
    const { run, going } = await begin('restart');
    await atWork(['agent', 'verifier'], run, going);
    await engine.end('SIGTERM');
    await engine.start();
    await atWork(['agent', 'verifier'], run, going);
    await engine.end('SIGKILL');
    await going.saw(/the container engine does not answer: no trial is started until it does/);
    await sleep(20_000);
    await engine.start();
    const { stderr, ended } = await end(run, going);
    expect(ended, stderr).toEqual({
      code: 0,
      passed: [true, true],
      lost: Array(2).fill(['runtime-lost in agent', 'runtime-lost in verify']).flat().sort(),
      left: [],
    });
    expect(stderr).toContain('the engine ended it: it was stopped, restarted or told to');
    expect(stderr).toContain('the container engine answers again: going on');
  });

  it('with a full disk in builds, then under agents and verifiers: names the disk, waits for room, and then scores all', async () => {
    await addTasks('disk', 'RUN sleep 3; head -c 50M /dev/zero > /big\n');
    const { run, going } = await begin('disk');
    while ((await engine.docker('ps', '-q')).split('\n').length < 2);
    await engine.fillDisk(20 * 2 ** 20);
    await going.saw(/(start-failed in build[\s\S]*){2}/);
    await going.saw(/[Nn]o space left on device[\s\S]*: no trial is started until there is room/);
    await engine.emptyDisk();
    await atWork(['agent', 'verifier'], run, going);
    await engine.fillDisk(0);
    await going.saw(
      /start-failed in agent[\s\S]*start-failed in verify|start-failed in verify[\s\S]*start-failed in agent/,
    );
    await engine.emptyDisk();
    const { stderr, ended } = await end(run, going);
    expect(ended, stderr).toEqual({
      code: 0,
      passed: [true, true],
      lost: [
        'start-failed in agent',
        'start-failed in build',
        'start-failed in build',
        'start-failed in verify',
      ],
      left: [],
    });
    expect(stderr).toMatch(
      /the disk of the container engine has \d MiB left, too little to work with: no trial is started/,
    );
  });

  it('without addresses, then restarted under agents on a network: waits, names the pool, and comes through to the gateway anew', async () => {
    await rig.addTask('pool-agent', { script: CHECK, yaml: VERIFIER });
    const taken: string[] = [];
    while (await engine.docker('network', 'create', `taken-${taken.length}`).catch(() => false))
      taken.push(`taken-${taken.length}`);
    const asking = 'configurations: [{ harness: asks, model: any }]';
    const { run, going } = await begin('pool', 'models: { mode: scripted }\n', asking);
    await going.saw(
      /address pool among the defaults to assign to the network: trials wait until a network is removed/,
    );
    await engine.docker('network', 'rm', ...taken);
    await atWork(['relay', 'agent'], run, going);
    await engine.end('SIGKILL');
    await engine.start();
    const { stderr, ended } = await end(run, going);
    expect(ended, stderr).toEqual({ code: 0, passed: [true], lost: ['runtime-lost in agent'], left: [] });
  });
});

/** The number of the default bridge of the machine's own engine, by which its containers reach anything; empty where it has none. */
async function bridgeOfMachine(): Promise<string> {
  return await readFile('/sys/class/net/docker0/ifindex', 'utf8').catch(() => '');
}

/** The base image of tasks (where the set-up does not say which, the newest), and those under it. */
async function baseImages(): Promise<string[]> {
  const { SKILLPAIR_TEST_BASE: base = 'skillpair/base' } = process.env;
  const { stdout } = await execa('docker', ['images', '-q', '--no-trunc', base]);
  const names: string[] = [];
  for (let id = stdout.split('\n')[0] ?? ''; id !== ''; ) {
    const format = '{{json .RepoTags}} {{.Parent}}';
    const [tags = '[]', parent = ''] = (await execa('docker', ['inspect', '-f', format, id])).stdout.split(
      ' ',
    );
    names.push(...(JSON.parse(tags) as string[]));
    id = parent;
  }
  return names;
}
