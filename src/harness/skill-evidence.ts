import type { Evident, SkillUse } from '../model/attempt.ts';
import type { Skill } from '../model/skill.ts';
import { findListed } from './listing-check.ts';
import type { SkillListing } from './skill-listing.ts';
import type { SkillSightings } from './skill-watch.ts';

/** Everything that an attempt's evidence says of Skills. */
export interface SkillEvidence {
  /** The task's Skills. */
  readonly skills: readonly Skill[];
  /** Names of those in the container; undefined: not known. */
  readonly staged: readonly string[] | undefined;
  /** Names of Skills that the program brings along. */
  readonly ownSkills: readonly string[];
  /** What the model was told; undefined: not known. */
  readonly listing: SkillListing | undefined;
  /** Names of Skills whose body came with a message, without a call. */
  readonly loaded: readonly string[];
  readonly sightings: SkillSightings;
  /** The trajectory is torn, never began, or is of a shape that is not known: what it does not show may have been. */
  readonly blind: boolean;
}

/**
 * What the evidence says of each Skill: of the task's always, of others where they were listed or used. An arm without
 * Skills must have used none at all, so those of the program and those nobody named count too.
 */
export function skillUses(evidence: SkillEvidence): SkillUse[] {
  const own = evidence.skills.map((skill) => useOf(skill.name, 'task', evidence, skill));
  const taken = new Set(evidence.skills.flatMap(({ name, title }) => [name, title]));
  const { opened, scriptRun } = evidence.sightings;
  const others = new Set([
    ...(evidence.listing?.listed.map(({ name }) => name) ?? []),
    ...opened,
    ...scriptRun,
    ...loadedOf(evidence),
  ]);
  return [
    ...own,
    ...[...others]
      .filter((name) => !taken.has(name))
      .sort()
      .map((name) => useOf(name, evidence.ownSkills.includes(name) ? 'harness' : 'unknown', evidence)),
  ];
}

function useOf(
  name: string,
  origin: NonNullable<SkillUse['origin']>,
  evidence: SkillEvidence,
  skill?: Skill,
): SkillUse {
  const stages = {
    staged: skill === undefined ? stagedByOthers(origin) : stagedOf(skill, evidence),
    listed: listedOf(name, skill, evidence),
    opened: openedOf(name, skill, evidence),
    scriptRun: seen(name, evidence.sightings.scriptRun, evidence),
  } satisfies SkillUse['stages'];
  return { skill: name, use: useFrom(stages), origin, stages };
}

function useFrom({ opened, scriptRun }: { opened: Evident; scriptRun: Evident }): SkillUse['use'] {
  if (opened === 'yes' || scriptRun === 'yes') return 'used';
  return opened === 'no' && scriptRun === 'no' ? 'not-used' : 'cannot-tell';
}

function stagedOf(skill: Skill, { staged }: SkillEvidence): Evident {
  if (staged === undefined) return 'cannot-tell';
  return staged.includes(skill.name) ? 'yes' : 'no';
}

function stagedByOthers(origin: NonNullable<SkillUse['origin']>): Evident {
  return origin === 'harness' ? 'yes' : 'cannot-tell';
}

function listedOf(name: string, skill: Skill | undefined, { listing }: SkillEvidence): Evident {
  if (listing === undefined) return 'cannot-tell';
  const entry =
    skill === undefined ? listing.listed.some((each) => each.name === name) : findListed(skill, listing);
  return entry === undefined || entry === false ? 'no' : 'yes';
}

function openedOf(name: string, skill: Skill | undefined, evidence: SkillEvidence): Evident {
  const loaded = loadedOf(evidence);
  if (loaded.includes(name) || (skill !== undefined && loaded.includes(skill.title))) return 'yes';
  return seen(name, evidence.sightings.opened, evidence);
}

function loadedOf({ loaded, listing }: SkillEvidence): string[] {
  return [...loaded, ...(listing?.loaded ?? [])];
}

function seen(name: string, where: ReadonlySet<string>, { blind, sightings }: SkillEvidence): Evident {
  if (where.has(name)) return 'yes';
  return blind || sightings.unanswered.has(name) ? 'cannot-tell' : 'no';
}
