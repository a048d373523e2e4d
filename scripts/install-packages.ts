import { execa } from 'execa';
import { SetupFailure } from './setup-failure.ts';
import { stateFile } from './state-file.ts';

/** Installs Debian packages as root; apt's output goes to a log file. Rejects with {@link SetupFailure}. */
export async function installPackages(names: readonly string[], withRecommended: boolean): Promise<void> {
  const log = await stateFile('apt.log');
  const recommended = withRecommended ? [] : ['--no-install-recommends'];
  const lists = await apt(log, ['update']);
  const { exitCode } = await apt(log, ['install', '-y', ...recommended, ...names]);
  if (exitCode === 0) return;
  const hint = lists.exitCode === 0 ? '' : ' (its package lists could not be brought up to date either)';
  throw new SetupFailure(`apt-get could not install ${names.join(' ')}${hint}; its output is in ${log}`, {
    repair: `apt-get update && apt-get install ${names.join(' ')}`,
  });
}

function apt(log: string, args: readonly string[]) {
  return execa('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    reject: false,
    stdin: 'ignore',
    stdout: { file: log, append: true },
    stderr: { file: log, append: true },
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}
