import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { NamedKind } from './named-place.ts';
import { bundleNames, isSkillFile, lookIntoLibrary } from './skills.ts';

/** How people name Skills. */
export const SKILL_KIND: NamedKind = {
  noun: 'Skill',
  library: 'skills',
  file: /^skill\.md$/i,
  namesIn: bundleNames,
};

/** Where a task keeps its own Skills, in both formats. */
const IN_TASK = ['environment/skills', 'skills'];

/** The bundles that a folder stands for, and folders among them that are none. */
export interface FoundBundles {
  /** Those that are meant as Skills and do not load, too. */
  readonly bundles: readonly string[];
  readonly problems: readonly Problem[];
}

/** Whether the folder is a Skill itself, rightly spelt or not. */
export async function isBundle(dir: string): Promise<boolean> {
  return (await readdir(dir).catch((): string[] => [])).some(isSkillFile);
}

/** The bundles in a folder of Skills; those in a task's own folder of Skills where it holds no others. */
export async function bundlesIn(dir: string): Promise<FoundBundles> {
  for (const folder of [dir, ...IN_TASK.map((inner) => join(dir, inner))]) {
    const { bundles, spoilt, others } = await lookIntoLibrary(folder);
    const names = [...bundles, ...spoilt].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    if (names.length === 0) continue;
    return {
      bundles: names.map((name) => join(folder, name)),
      problems: others.map((name) => leftOut(join(folder, name))),
    };
  }
  return { bundles: [], problems: [] };
}

function leftOut(dir: string): Problem {
  return {
    severity: 'warning',
    message: `"${basename(dir)}" has no SKILL.md: it is no Skill`,
    where: { file: dir },
    repair: 'write its SKILL.md, or remove the folder',
  };
}
