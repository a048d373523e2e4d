import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSkillHead } from './skill-head.ts';

/** A Skill found in a discovery folder; without a description it is listed and never chosen. */
export interface FoundSkill {
  /** Name of its folder. */
  readonly folder: string;
  /** Of its SKILL.md. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
}

/** Skills in `.agents/skills` of the home folder, then of the working directory and its parents. Of equal folder names the first wins. */
export function discoverSkills(home: string | undefined, workingDir: string): readonly FoundSkill[] {
  const found = new Map<string, FoundSkill>();
  for (const root of [...(home === undefined ? [] : [home]), ...parents(workingDir)]) {
    for (const skill of skillsIn(join(root, '.agents', 'skills'))) {
      if (!found.has(skill.folder)) found.set(skill.folder, skill);
    }
  }
  return [...found.values()];
}

function parents(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...parents(above)];
}

function skillsIn(folder: string): readonly FoundSkill[] {
  return listFolder(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name, 'SKILL.md');
      const text = readIfThere(path);
      if (text === undefined) return [];
      const head = readSkillHead(text);
      return [{ folder: name, path, name: head?.name || name, description: head?.description ?? '' }];
    });
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
