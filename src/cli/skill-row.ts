import type { SkillRow } from '../report/skill-table.ts';
import type { SkillAssessment } from './assess-skill.ts';

/** A Skill's line in the table of a check. */
export function skillRow(one: SkillAssessment): SkillRow {
  const { subject, verdict, listings, files, bytes, tokens, quality } = one;
  const digest = one.loaded.skill?.digest;
  return {
    subject,
    verdict,
    listings,
    files,
    bytes,
    tokens,
    ...(digest === undefined ? {} : { digest }),
    ...(quality.length === 0 ? {} : { points: quality.filter(({ given }) => given).length }),
  };
}

/** The same with all that a program may want: rules behind a listing, reasons of each point, licence. */
export function skillJson(one: SkillAssessment): Readonly<Record<string, unknown>> {
  const { skill, license } = one.loaded;
  return {
    ...skillRow(one),
    ...(skill === undefined ? {} : { name: skill.name, title: skill.title, description: skill.description }),
    license,
    quality: one.quality,
  };
}
