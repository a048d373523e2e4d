import { basename, join } from 'node:path';
import { bundleFindings } from '../lint/skill/bundle-findings.ts';
import { type HarnessListing, listingBy, skillVerdict } from '../lint/skill/portability.ts';
import { type QualityPoint, rateSkill } from '../lint/skill/quality.ts';
import { estimateTokens } from '../lint/skill/token-estimate.ts';
import { loadSkillListings } from '../load/skill-listings.ts';
import { type LoadedSkill, loadSkill } from '../load/skills.ts';
import type { Finding } from '../model/finding.ts';
import { InputError, type Problem } from '../model/problem.ts';
import type { SkillListing } from '../model/skill-listing.ts';
import type { SkillProblem } from '../model/skill-rule.ts';
import { pathFrom } from '../report/findings-text.ts';
import { harnessesIn, noHarness } from './named-harness.ts';

/** The harnesses whose listing is looked at, and what is known of it. */
export interface ListingHarnesses {
  readonly harnesses: readonly { readonly id: string; readonly version: string }[];
  readonly listings: ReadonlyMap<string, SkillListing>;
  /** Of their files. */
  readonly problems: readonly Problem[];
}

/** All harnesses that stand for an agent with a model, or those that are named. Throws InputError for a name that there is not. */
export async function listingHarnesses(
  dir: string,
  cwd: string,
  named?: readonly string[],
): Promise<ListingHarnesses> {
  const found = await harnessesIn(dir, cwd);
  for (const id of named ?? []) {
    if (!found.harnesses.has(id)) throw new InputError([noHarness(dir, id, [...found.harnesses.keys()])]);
  }
  const chosen = [...found.harnesses.values()].filter(({ manifest }) =>
    named === undefined ? manifest.protocol !== undefined : named.includes(manifest.id),
  );
  const { listings, problems } = await loadSkillListings(chosen);
  const harnesses = chosen.map(({ manifest: { id, version } }) => ({ id, version }));
  return { harnesses, listings, problems: [...found.problems, ...problems] };
}

/** Everything that a check has to say of one Skill. */
export interface SkillAssessment {
  /** The folder, as a person finds it from where the command was given. */
  readonly subject: string;
  readonly dir: string;
  readonly loaded: LoadedSkill;
  readonly findings: readonly Finding[];
  readonly listings: readonly HarnessListing[];
  readonly verdict: string;
  readonly files: number;
  readonly bytes: number;
  /** Estimate for SKILL.md. */
  readonly tokens: number | undefined;
  /** Empty where it does not load. */
  readonly quality: readonly QualityPoint[];
}

/** Reads one bundle and looks at it from all sides; `root` is where its paths are told from. */
export async function assessSkill(
  dir: string,
  root: string,
  { harnesses, listings }: Pick<ListingHarnesses, 'harnesses' | 'listings'>,
): Promise<SkillAssessment> {
  const loaded = await loadSkill(dir);
  const { skill, text, license, entries } = loaded;
  const path = join(dir, 'SKILL.md');
  const own = text === undefined ? [] : bundleFindings({ path, text, license, entries });
  const problems: readonly SkillProblem[] = [...loaded.problems, ...own];
  const subject = pathFrom(root, dir);
  const listed = {
    folder: basename(dir),
    name: skill?.title,
    broken: [...new Set(problems.map(({ rule }) => rule))],
  };
  const shown = harnesses.map((harness) => listingBy(listed, harness, listings.get(harness.id)));
  const files = entries.filter(({ kind }) => kind === 'file');
  return {
    subject,
    dir,
    loaded,
    findings: problems.map((problem) => ({ ...problem, subject })),
    listings: shown,
    verdict: skillVerdict(skill !== undefined, shown),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    tokens: text === undefined ? undefined : estimateTokens(text),
    quality: skill === undefined ? [] : rateSkill({ description: skill.description, body: loaded.body }),
  };
}
