import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { makeRig, type Rig } from '../../support/rig.ts';
import { writeFiles } from '../../unit/image/made-project.ts';

/** Marks the engine objects that these tests make themselves. */
const LABEL = 'skillpair-test=run';
let made = 0;

/** A rig for the real engine. Its tasks are named so that their images can be told from anybody else's. */
export interface DockerRig extends Rig {
  /** A fresh run id. */
  runId(): string;
}

/** Makes a rig with one Skill (`alpha`) and the task `rt-answer`. Disposing removes the images made for its tasks. */
export async function makeDockerRig(): Promise<DockerRig> {
  const rig = await makeRig();
  await rig.addSkill(
    'alpha',
    'Do this:\n\n```sh\nmkdir -p /workspace/out\necho 42 > /workspace/out/answer.txt\n```\n',
  );
  await rig.addTask('rt-answer', {
    instruction:
      'Say how the answer is found, then write it.\n\n- Input: `/etc/hostname`\n- Output: `/workspace/out/answer.txt`\n',
  });
  return {
    ...rig,
    runId: () => `runtests-${process.pid}-${++made}`,
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

/** Everything on the engine that carries the label of a run, as `kind name`. `env`: where the engine is not the machine's. */
export async function leftOf(
  run: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const filter = ['--filter', `label=skillpair.run=${run}`, '-q'];
  const lists = await Promise.all([
    execa('docker', ['ps', '-a', ...filter], { env }),
    execa('docker', ['images', ...filter], { env }),
    execa('docker', ['volume', 'ls', ...filter], { env }),
    execa('docker', ['network', 'ls', ...filter], { env }),
  ]);
  return lists.flatMap(({ stdout }) => stdout.split('\n')).filter((line) => line !== '');
}

/** Names of the containers of a run that were ever started, from the engine's own account. `since`: seconds of the epoch. */
export async function startedIn(run: string, since: number): Promise<readonly string[]> {
  const until = String(Math.ceil(Date.now() / 1000) + 1);
  const { stdout } = await execa('docker', [
    ...['events', '--since', String(since), '--until', until, '--filter', 'event=start'],
    ...['--filter', `label=skillpair.run=${run}`, '--format', '{{.Actor.Attributes.name}}'],
  ]);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Builds a local image with the given files; `-> target` makes a link. Dispose removes its name. */
export async function localImage(
  tag: string,
  dockerfile: string,
  files: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-local-image-'));
  try {
    await writeFiles(dir, { Dockerfile: dockerfile, ...files });
    await execa('docker', ['build', '-q', '--label', LABEL, '-t', tag, ...more, dir]);
  } finally {
    await rm(dir, { recursive: true });
  }
  return {
    [Symbol.asyncDispose]: async () => void (await execa('docker', ['rmi', '-f', tag], { reject: false })),
  };
}

/** Removes the images that were built for tasks of these names, and nothing else. */
export async function removeTaskImages(...tasks: readonly string[]): Promise<void> {
  for (const task of tasks) {
    const filter = [
      '--filter',
      'label=skillpair.kind=task-image',
      '--filter',
      `label=skillpair.subject=${task}`,
    ];
    const { stdout } = await execa('docker', ['images', '-q', '--no-trunc', ...filter]);
    for (const id of new Set(stdout.split('\n').filter((line) => line !== '')))
      await execa('docker', ['rmi', '-f', id], { reject: false });
  }
}
