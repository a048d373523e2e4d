import { execa } from 'execa';
import { installPackages } from './install-packages.ts';
import { SetupFailure } from './setup-failure.ts';
import type { Suite } from './stand-in-names.ts';
import { stateFile } from './state-file.ts';

/**
 * Makes a Debian release's smallest root file system with mmdebstrap, which is installed if need be. No mirror is named: the
 * host's configuration of apt decides where packages come from, and mmdebstrap's own for another release than the host's.
 * Rejects with {@link SetupFailure}.
 */
export async function makeRootFileSystem(tarPath: string, suite: Suite): Promise<void> {
  if (!(await isThere('mmdebstrap'))) await installMmdebstrap();
  const log = await stateFile('mmdebstrap.log');
  const output = { file: log };
  const args = ['--variant=minbase', '--include=ca-certificates', suite, tarPath];
  const { exitCode } = await execa('mmdebstrap', args, {
    reject: false,
    stdin: 'ignore',
    stdout: output,
    stderr: output,
  });
  if (exitCode === 0) return;
  throw new SetupFailure(`mmdebstrap could not make Debian's root file system; its output is in ${log}`, {
    repair: 'mend what the log says (often the reach of the package mirror), and run this again',
  });
}

async function installMmdebstrap(): Promise<void> {
  if (process.getuid?.() !== 0 || !(await isThere('apt-get'))) {
    throw new SetupFailure('making a Debian image here takes mmdebstrap, which is not installed', {
      repair:
        'sudo apt-get install mmdebstrap debian-archive-keyring; or load debian:12-slim into the engine (docker load)',
    });
  }
  console.error('setup: installing mmdebstrap (apt-get install mmdebstrap) ...');
  await installPackages(['mmdebstrap', 'debian-archive-keyring'], true);
}

async function isThere(command: string): Promise<boolean> {
  const { exitCode } = await execa(command, ['--version'], { reject: false, stdio: 'ignore' });
  return exitCode === 0;
}
