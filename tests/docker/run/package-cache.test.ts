import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CACHE_DIR, MACHINE_FILE } from '../../../src/cli/load-experiment.ts';
import { packagesDir } from '../../../src/run/packages/package-file.ts';
import { attemptsOf, makeRig, type Rig } from '../../support/rig.ts';
import { leftOf, removeTaskImages } from './docker-rig.ts';
import { INSTALLERS, type PackageIndex, startPackageIndex } from './package-index.ts';

const YAML =
  'environment: { memory: 512MiB }\nskills: [alpha]\n' +
  'verifier: { kind: script, isolation: snapshot, network: internet, timeout: 120s }\n';
const ANSWER = 'mkdir -p /workspace/out; echo 42 > /workspace/out/answer.txt';
const DIR = packagesDir(CACHE_DIR);

describe('packages of a verifier', () => {
  let rig: Rig;
  let index: PackageIndex;
  let runs = 0;
  beforeAll(async () => {
    rig = await makeRig();
    index = await startPackageIndex();
    const { url, host } = index;
    await rig.addSkill('alpha');
    await rig.addHarness('right', ANSWER);
    const uv = `uvx --index-url ${url} --from judge==1.0 judge`;
    const pip = `pip install --break-system-packages --index-url ${url} --trusted-host ${host} judge==1.0\njudge`;
    for (const [id, script] of [
      ['pc-uv', uv],
      ['pc-pip', pip],
    ] as const)
      await rig.addTask(id, { dockerfile: INSTALLERS, yaml: YAML, script });
  }, 120_000);
  afterAll(async () => {
    await index[Symbol.asyncDispose]();
    await removeTaskImages('pc-uv', 'pc-pip');
    await rig[Symbol.asyncDispose]();
  });

  /** Runs a task in the given arms and tells what was asked of the index meanwhile. */
  const run = async (
    task: string,
    conditions: readonly string[] = ['no-skills', 'with-skills'],
    env: Readonly<Record<string, string>> = {},
  ) => {
    const experiment = await rig.addExperiment(
      `${task}-${++runs}`,
      `tasks: { folders: [../tasks], include: [${task}] }\nconfigurations: [{ harness: right }]\nconditions: [${conditions.join(', ')}]\n`,
    );
    const id = `packages-${process.pid}-${runs}`;
    const before = await index.wheelsSent();
    const { stderr } = await rig.run(['run', experiment, '--run-id', id], env);
    const sent = (await index.wheelsSent()) - before;
    const records = attemptsOf(await rig.record(id));
    expect(
      records.map(({ outcome }) => outcome.kind === 'scored' && outcome.verdict.passed),
      stderr,
    ).toEqual(conditions.map(() => true));
    expect(await leftOf(id)).toEqual([]);
    return { sent, stderr, packages: records.map(({ packages }) => packages) };
  };

  it.each(['pc-uv', 'pc-pip'])(
    '%s: are downloaded once, without an agent, and every verifier has the same',
    async (task) => {
      const first = await run(task);
      expect(first.sent).toBe(1);
      const [kept] = first.packages;
      expect(kept?.files).toBeGreaterThan(0);
      expect(first.packages).toEqual([kept, kept]);
      const second = await run(task);
      expect(second).toMatchObject({ sent: 0, packages: [kept, kept] });
      const single = await run(task, ['with-skills']);
      expect(single).toMatchObject({ sent: 0, packages: [kept] });
    },
  );

  it('are not kept where this machine says so', async () => {
    const machine = join(rig.dir, 'machine.yaml');
    await writeFile(machine, `${await readFile(MACHINE_FILE, 'utf8')}\npackageCache: false\n`);
    const off = await run('pc-uv', undefined, { SKILLPAIR_MACHINE_FILE: machine });
    expect(off).toMatchObject({ sent: 2, packages: [undefined, undefined] });
  });

  it('are made anew when they were damaged, and nobody gets the damaged ones', async () => {
    const [kept] = (await run('pc-uv')).packages;
    const manifests = (await readdir(DIR)).filter((name) => name.endsWith('.json'));
    const texts = await Promise.all(manifests.map((name) => readFile(join(DIR, name), 'utf8')));
    const at = texts.findIndex((text) => JSON.parse(text).digest === kept?.digest);
    const tar = join(DIR, `${manifests[at]}`.replace(/json$/, 'tar'));
    const bytes = await readFile(tar);
    bytes.writeUInt8(bytes.readUInt8(5000) ^ 1, 5000);
    await writeFile(tar, bytes);
    const mended = await run('pc-uv');
    expect(mended.stderr).toContain(`packages of task pc-uv are made anew: ${tar} is not what was written`);
    expect(mended.sent).toBe(1);
    expect(mended.packages[0]?.digest).toMatch(/^sha256:/);
    expect(mended.packages[1]).toEqual(mended.packages[0]);
  });

  it('are not made for a single verification', async () => {
    await rig.addTask('pc-once', {
      dockerfile: INSTALLERS,
      yaml: YAML,
      script: `uvx --index-url ${index.url} --from judge==1.0 judge # once`,
    });
    expect(await run('pc-once', ['no-skills'])).toMatchObject({ sent: 1, packages: [undefined] });
    await removeTaskImages('pc-once');
  });
});
