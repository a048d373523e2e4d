import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { ok, type Result } from '../base/result.ts';
import { ImageSettings } from '../model/experiment.ts';
import { ReachSettings } from '../model/gateway-way.ts';
import type { Problem } from '../model/problem.ts';
import { readYamlFile } from './yaml-file.ts';

/** The file of settings that belong to a machine and not to an experiment: stand-ins for base images, certificates, its slowness, the way to the model gateway, whether packages are kept. */
export const MachineSettingsFile = z.strictObject({
  schemaVersion: z.literal(1).default(1),
  substitute: ImageSettings.shape.substitute,
  trustCa: ImageSettings.shape.trustCa,
  buildTimeFactor: ImageSettings.shape.buildTimeFactor,
  models: ReachSettings.prefault({}),
  packageCache: z.boolean().default(true),
});

/** What an experiment's own `images` are laid over. */
export type MachineImages = Pick<ImageSettings, 'substitute' | 'trustCa' | 'buildTimeFactor'>;

/** All that is so on one machine. */
export interface MachineSettings extends MachineImages {
  readonly models: ReachSettings;
  /** What verifiers download is kept for the next. */
  readonly packageCache: boolean;
}

/** The settings of a machine that says nothing. */
export const NO_MACHINE_SETTINGS: MachineSettings = {
  substitute: {},
  trustCa: 'none',
  buildTimeFactor: 1,
  models: { reach: 'auto' },
  packageCache: true,
};

/** Reads the machine's settings; a machine without the file has {@link NO_MACHINE_SETTINGS}. */
export async function loadMachineSettings(path: string): Promise<Result<MachineSettings, Problem[]>> {
  if (!(await exists(path))) return ok(NO_MACHINE_SETTINGS);
  const file = await readYamlFile(path, MachineSettingsFile);
  if (!file.ok) return file;
  const { substitute, trustCa, buildTimeFactor, models, packageCache } = file.value.value;
  return ok({ substitute, trustCa, buildTimeFactor, models, packageCache });
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
