import { join } from 'node:path';
import { z } from 'zod';
import { Discovery } from '../model/harness.ts';
import type { Problem } from '../model/problem.ts';
import { isFile } from './read-text.ts';
import { readYamlFile } from './yaml-file.ts';

/** `harnesses/discovery.yaml`: Skill folders of well-known agents that have no manifest here. */
export const DiscoveryFile = z.strictObject({ schemaVersion: z.literal(1), ...Discovery.shape });

const NO_DISCOVERY: Discovery = { home: [], project: [], system: [] };

/** Reads `discovery.yaml` of a folder of harnesses. Without it fewer folders are looked at, which is worth a warning. */
export async function loadDiscovery(
  dir: string,
): Promise<{ discovery: Discovery; problems: readonly Problem[] }> {
  const path = join(dir, 'discovery.yaml');
  if (!(await isFile(path))) {
    const message =
      'there is no discovery.yaml: Skills in folders of agents that are not described here would not be found';
    const repair = 'take the one that comes with skillpair';
    return {
      discovery: NO_DISCOVERY,
      problems: [{ severity: 'warning', message, where: { file: path }, repair }],
    };
  }
  const file = await readYamlFile(path, DiscoveryFile);
  if (!file.ok) return { discovery: NO_DISCOVERY, problems: file.error };
  const { home, project, system } = file.value.value;
  const discovery = { home, project, system };
  return { discovery, problems: [...file.value.problems, ...checkDiscovery(discovery, path)] };
}

/** Folders of all, each once, sorted. */
export function joinDiscovery(all: readonly Discovery[]): Discovery {
  const of = (key: keyof Discovery) => [...new Set(all.flatMap((discovery) => discovery[key]))].toSorted();
  return { home: of('home'), project: of('project'), system: of('system') };
}

/** Home and project folders are relative and go nowhere else; system folders are absolute. */
export function checkDiscovery(discovery: Discovery, file: string): Problem[] {
  const wrong = [
    ...[...discovery.home, ...discovery.project].filter(
      (path) => path === '' || /^\/|(^|\/)\.\.?(\/|$)|\/$/.test(path),
    ),
    ...discovery.system.filter((path) => !/^\/[^/]/.test(path) || /(^|\/)\.\.?(\/|$)|\/$/.test(path)),
  ];
  return wrong.map((path) => ({
    severity: 'error',
    message: `"${path}" is no folder of Skills: home and project folders are relative, system folders absolute`,
    where: { file },
    repair:
      'write it as ".claude/skills" or "/etc/codex/skills", without ".." and without a slash at its end',
  }));
}
