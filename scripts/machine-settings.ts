import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { atomicWrite } from '../src/base/atomic-write.ts';

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
    substituteFor: async (image) => readSubstitutes(path)?.[image],
    isWritable: async () => !existsSync(path),
    write: (settings) => {
      const trust = hasCertificates(extraCaDir) ? { trustCa: 'host' } : {};
      const head = '# Written by the set-up; yours to change. Settings of this machine alone.\n';
      return atomicWrite(path, head + stringify({ schemaVersion: 1, ...settings, ...trust }));
    },
  };
}

function readSubstitutes(path: string): Record<string, string> | undefined {
  if (!existsSync(path)) return undefined;
  const settings: unknown = parse(readFileSync(path, 'utf8'));
  return (settings as { substitute?: Record<string, string> } | null)?.substitute;
}

function hasCertificates(folder: string): boolean {
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.crt'))
  );
}
