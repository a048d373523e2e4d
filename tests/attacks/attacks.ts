import type { Attack } from './attack.ts';
import { environmentAttacks } from './environment-attacks.ts';
import { fileAttacks } from './file-attacks.ts';
import { outputAttacks } from './output-attacks.ts';
import { programAttacks } from './program-attacks.ts';
import { pythonAttacks } from './python-attacks.ts';

/** The whole corpus. `secret`: a file of the host that no agent may read, by its path there. */
export function attacks(secret: string): readonly Attack[] {
  return [
    ...fileAttacks,
    ...pythonAttacks,
    ...programAttacks,
    ...environmentAttacks,
    ...outputAttacks(secret),
  ];
}
