import { execa } from 'execa';
import { leftOf } from '../docker/run/docker-rig.ts';

/** What a run that was killed could have left on the engine: by its own label, by its processes', or in a build's unlabelled steps. */
export async function leftOnEngine(from: {
  readonly run: string;
  readonly owners: readonly number[];
  readonly mark: string;
}): Promise<readonly string[]> {
  const ofRun = await leftOf(from.run);
  const ofOwners = await Promise.all(
    from.owners.map((pid) => list('ps', '-aq', '--filter', `label=skillpair.owner-pid=${pid}`)),
  );
  const all = await list('ps', '-a', '--no-trunc', '--format', '{{.ID}} {{.Command}}');
  const steps = all.filter((line) => line.includes(from.mark));
  return [...ofRun, ...ofOwners.flat(), ...steps].map((what) => `left on the engine: ${what}`);
}

async function list(...args: readonly string[]): Promise<string[]> {
  const { stdout } = await execa('docker', args);
  return stdout.split('\n').filter((line) => line !== '');
}
