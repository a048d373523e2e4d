import { join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import { Trajectory } from '../model/trajectory.ts';
import { toAtif } from './atif.ts';

/** Writes `trajectory.json` and, where there is a step, the same as ATIF in `trajectory.atif.json` into a folder. */
export async function writeTrajectory(dir: string, trajectory: Trajectory): Promise<void> {
  await atomicWrite(join(dir, 'trajectory.json'), jsonText(Trajectory.parse(trajectory)));
  const atif = toAtif(trajectory);
  if (atif !== undefined) await atomicWrite(join(dir, 'trajectory.atif.json'), jsonText(atif));
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
