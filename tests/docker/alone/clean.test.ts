import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DockerRig, localImage, makeDockerRig } from '../run/docker-rig.ts';

const TINY = 'skillpair-test/tiny:2';

describe('clean', () => {
  const names = {
    dead: 'skillpair-runtests-dead',
    attached: 'skillpair-runtests-attached',
    living: 'skillpair-runtests-living',
    elsewhere: 'skillpair-runtests-elsewhere',
    foreign: 'skillpair-runtests-foreign',
  };
  const stack = new AsyncDisposableStack();
  const owner = (pid: number, host = hostname()) =>
    Object.entries({
      'skillpair.managed': '1',
      'skillpair.run': 'runtests-clean',
      'skillpair.owner-pid': String(pid),
      'skillpair.owner-host': host,
    }).flatMap(([key, value]) => ['--label', `${key}=${value}`]);
  const docker = async (...args: string[]) => (await execa('docker', args)).stdout;
  const there = async () => {
    const lists = await Promise.all([
      docker('ps', '-a', '--format', '{{.Names}}'),
      docker('volume', 'ls', '--format', '{{.Name}}'),
      docker('network', 'ls', '--format', '{{.Name}}'),
      docker('images', '--format', '{{.Repository}}'),
    ]);
    return lists
      .flatMap((list) => list.split('\n'))
      .filter((name) => /runtests-(dead|attached|living|elsewhere|foreign)/.test(name))
      .sort();
  };
  /** A container in state Created and a volume, with labels; and what is never ours: neither has any. */
  const make = async (name: string, labels: readonly string[]) => {
    await docker('create', '--name', name, ...labels, TINY, 'true');
    await docker('volume', 'create', ...labels, `${name}-volume`);
    stack.defer(async () => {
      await execa('docker', ['rm', '-f', name], { reject: false });
      await execa('docker', ['volume', 'rm', '-f', `${name}-volume`], { reject: false });
    });
  };

  let rig: DockerRig;
  beforeAll(async () => {
    rig = stack.use(await makeDockerRig());
    stack.use(await localImage(TINY, 'FROM scratch\nCOPY x /x\n', { x: 'x' }));
    const { pid: dead } = spawnSync('true');
    await make(names.dead, owner(dead));
    await make(names.living, owner(process.pid));
    await make(names.elsewhere, owner(dead, 'another-machine'));
    await make(names.foreign, []);
    await docker('network', 'create', ...owner(dead), `${names.dead}-network`);
    stack.defer(
      async () => void (await execa('docker', ['network', 'rm', `${names.dead}-network`], { reject: false })),
    );
    await docker(
      'create',
      '--name',
      names.attached,
      ...owner(dead),
      '--network',
      `${names.dead}-network`,
      TINY,
      'true',
    );
    stack.defer(async () => void (await execa('docker', ['rm', '-f', names.attached], { reject: false })));
    stack.use(await localImage(`${names.foreign}-image:1`, `FROM ${TINY}\n`));
  });
  afterAll(() => stack.disposeAsync());

  const kept = [
    names.elsewhere,
    `${names.elsewhere}-volume`,
    names.foreign,
    `${names.foreign}-image`,
    `${names.foreign}-volume`,
    names.living,
    `${names.living}-volume`,
  ];
  const doomed = [names.attached, names.dead, `${names.dead}-network`, `${names.dead}-volume`];

  it('says what it would remove and removes nothing, when only asked', async () => {
    const { code, stdout } = await rig.run(['clean', '--dry-run']);
    expect(code).toBe(0);
    for (const name of doomed) expect(stdout).toMatch(new RegExp(`^\\w+ ${name}$`, 'm'));
    for (const name of kept) expect(stdout).not.toMatch(new RegExp(`^\\w+ ${name}$`, 'm'));
    expect(await there()).toEqual([...kept, ...doomed].sort());
  });

  it('removes what dead runs of this machine left, and nothing of the living, of others, or without our labels', async () => {
    const { code } = await rig.run(['clean', '--json']);
    expect(code).toBe(0);
    expect(await there()).toEqual([...kept].sort());
    const again = JSON.parse((await rig.run(['clean', '--json'])).stdout) as { objects: { name: string }[] };
    expect(again.objects.filter(({ name }) => doomed.includes(name))).toEqual([]);
  });
});
