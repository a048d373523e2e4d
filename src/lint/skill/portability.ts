import type { ListingEffect, SkillListing } from '../../model/skill-listing.ts';
import { isAboutListing, type SkillRule } from '../../model/skill-rule.ts';

/** What one harness would do with a Skill. */
export interface HarnessListing {
  readonly harness: string;
  readonly version: string;
  readonly effect: 'listed' | 'listed-otherwise' | 'ignored' | 'not-measured';
  /** How it would be shown, where that is not as the Skill says. */
  readonly as?: string;
  /** The rules that make it so. */
  readonly rules: readonly SkillRule[];
}

/** A Skill as far as its listing goes. */
export interface ListedSkill {
  readonly folder: string;
  /** What its head says; undefined where it says nothing usable. */
  readonly name: string | undefined;
  /** Rules that it breaks. */
  readonly broken: readonly SkillRule[];
}

/** What a harness was measured to do with a Skill. One broken rule that hides the Skill decides; then one that was not measured. */
export function listingBy(
  skill: ListedSkill,
  harness: { readonly id: string; readonly version: string },
  listing: SkillListing | undefined,
): HarnessListing {
  const one = { harness: harness.id, version: harness.version };
  if (listing === undefined) return { ...one, effect: 'not-measured', rules: [] };
  const broken = skill.broken.filter(isAboutListing);
  const effects = broken.map((rule) => [rule, listing.rules[rule as keyof typeof listing.rules]] as const);
  const rulesOf = (isIt: (effect: ListingEffect | undefined) => boolean) =>
    effects.filter(([, effect]) => isIt(effect)).map(([rule]) => rule);
  const ignoring = rulesOf((effect) => effect === 'ignored');
  if (ignoring.length > 0) return { ...one, effect: 'ignored', rules: ignoring };
  const unknown = rulesOf((effect) => effect === undefined);
  if (unknown.length > 0) return { ...one, effect: 'not-measured', rules: unknown };
  const otherwise = rulesOf((effect) => typeof effect === 'object');
  const [as] = effects.flatMap(([, effect]) => (typeof effect === 'object' ? [effect.as] : []));
  if (as === undefined) return { ...one, effect: 'listed', rules: [] };
  return { ...one, effect: 'listed-otherwise', as: filledIn(as, skill), rules: otherwise };
}

function filledIn(text: string, { folder, name }: ListedSkill): string {
  return text.replaceAll('{folder}', () => folder).replaceAll('{name}', () => name ?? 'its name');
}

/**
 * `invalid`: skillpair itself cannot inject it. `portable`: every harness that is looked at lists it. Else who accepts it, who
 * ignores it, and of whom nothing is known.
 */
export function skillVerdict(isLoaded: boolean, listings: readonly HarnessListing[]): string {
  if (!isLoaded) return 'invalid';
  const named = (...effects: HarnessListing['effect'][]) =>
    listings.filter(({ effect }) => effects.includes(effect)).map(({ harness }) => harness);
  const [accepting, ignoring, unknown] = [
    named('listed', 'listed-otherwise'),
    named('ignored'),
    named('not-measured'),
  ];
  if (accepting.length === listings.length) return 'portable';
  const parts = [
    accepting.length === 0 ? '' : `accepted by ${accepting.join(', ')}`,
    ignoring.length === 0 ? '' : `ignored by ${ignoring.join(', ')}`,
    unknown.length === 0 ? '' : `not measured: ${unknown.join(', ')}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}
