import { z } from 'zod';
import { isAboutListing, SKILL_RULES, type SkillRule } from './skill-rule.ts';

const LISTING_RULES = (Object.keys(SKILL_RULES) as SkillRule[]).filter(isAboutListing);

/** What a program does with a Skill that breaks a rule. */
export const ListingEffect = z.union([
  z.enum(['listed', 'ignored']),
  z.strictObject({
    /** How the program then shows it; `{folder}` and `{name}` stand for the Skill's own. */
    as: z.string().min(1),
  }),
]);
export type ListingEffect = z.infer<typeof ListingEffect>;

/**
 * `harnesses/<id>/skill-listing.yaml`: what one version of an agent program was seen to do with Skills that break a rule. A Skill
 * that breaks none is listed. What stands here was measured; a rule that is left out was not.
 */
export const SkillListing = z.strictObject({
  schemaVersion: z.literal(1),
  /** The version that was measured: of another one nothing is known. */
  version: z.string().min(1),
  rules: z.partialRecord(z.enum(LISTING_RULES as [SkillRule, ...SkillRule[]]), ListingEffect),
});
export type SkillListing = z.infer<typeof SkillListing>;
