import { existsSync, readdirSync } from 'node:fs';
import { stringify } from 'yaml';
import { atomicWrite } from '../src/base/atomic-write.ts';
import { loadMachineSettings } from '../src/load/machine-settings.ts';
import { renderProblems } from '../src/load/render-problems.ts';
import { SetupFailure } from './setup-failure.ts';
import { ROOT } from './state-file.ts';

const EXTRA_CA_DIR = '/usr/local/share/ca-certificates';

/** `.skillpair/machine.yaml`: what is so on this machine alone, and never in git. A file that is there is left as it is. */
export interface MachineSettings {
  readonly path: string;
  /** The local image that stands in for a name in FROM lines. */
  substituteFor(image: string): Promise<string | undefined>;
  /** False when somebody has written the file. */
  isWritable(): Promise<boolean>;
  write(settings: { readonly substitute: Readonly<Record<string, string>> }): Promise<void>;
}

/** The settings file at this path. Certificates of the host are trusted in builds where it has any of its own. */
export function machineSettings(path: string, extraCaDir = EXTRA_CA_DIR): MachineSettings {
  return {
    path,
    substituteFor: async (image) => (await readSubstitutes(path))[image],
    isWritable: async () => !existsSync(path),
    write: (settings) => {
      const trust = hasCertificates(extraCaDir) ? { trustCa: 'host' } : {};
      const head = '# Written by the set-up; yours to change. Settings of this machine alone.\n';
      return atomicWrite(path, head + stringify({ schemaVersion: 1, ...settings, ...trust }));
    },
  };
}

async function readSubstitutes(path: string): Promise<Readonly<Record<string, string>>> {
  const settings = await loadMachineSettings(path);
  if (settings.ok) return settings.value.substitute;
  throw new SetupFailure(
    `the settings of this machine cannot be read\n${renderProblems(settings.error, ROOT)}`,
    {
      repair: `mend ${path}, or remove it to have it written anew`,
    },
  );
}

function hasCertificates(folder: string): boolean {
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.crt'))
  );
}
