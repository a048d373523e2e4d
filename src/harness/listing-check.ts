import type { Skill } from '../model/skill.ts';
import { type ListedSkill, readSkillListing, type SkillListing } from './skill-listing.ts';

/** How a Skill stands in what the model was told. */
export interface ListingResult {
  readonly skill: string;
  readonly listing: 'listed' | 'listed-without-description' | 'not-listed' | 'cannot-tell';
}

/**
 * Compares Skills with the first model request (its body, parsed; undefined when none was kept). One that was put into
 * the container and is `not-listed` was invisible to the model: that trial did not have its condition.
 */
export function checkListing(skills: readonly Skill[], firstRequest: unknown): ListingResult[] {
  const listing = readSkillListing(firstRequest);
  return skills.map((skill) => ({ skill: skill.name, listing: listingOf(skill, listing) }));
}

/** The entry of a Skill: by its folder's name, by its title, or by the file that the entry names. */
export function findListed(skill: Skill, listing: SkillListing): ListedSkill | undefined {
  return listing.listed.find(
    ({ name, path }) => name === skill.name || name === skill.title || path?.split('/').at(-2) === skill.name,
  );
}

function listingOf(skill: Skill, listing: SkillListing | undefined): ListingResult['listing'] {
  if (listing === undefined) return 'cannot-tell';
  const entry = findListed(skill, listing);
  if (entry === undefined) return 'not-listed';
  return entry.description === '' ? 'listed-without-description' : 'listed';
}
