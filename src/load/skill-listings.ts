import { join } from 'node:path';
import type { Harness } from '../model/harness.ts';
import type { Problem } from '../model/problem.ts';
import { SkillListing } from '../model/skill-listing.ts';
import { isFile } from './read-text.ts';
import { readYamlFile } from './yaml-file.ts';

/** In the folder of a harness: what was measured of how it lists Skills. */
export const LISTING_FILE = 'skill-listing.yaml';

/** What is known of how harnesses list Skills, by harness id; one that was measured in another version has a warning and no entry. */
export async function loadSkillListings(harnesses: Iterable<Harness>): Promise<{
  readonly listings: ReadonlyMap<string, SkillListing>;
  readonly problems: readonly Problem[];
}> {
  const listings = new Map<string, SkillListing>();
  const problems: Problem[] = [];
  for (const { manifest, dir } of harnesses) {
    const path = join(dir, LISTING_FILE);
    if (!(await isFile(path))) continue;
    const file = await readYamlFile(path, SkillListing);
    if (!file.ok) {
      problems.push(...file.error);
      continue;
    }
    const { value, locate } = file.value;
    if (value.version === manifest.version) listings.set(manifest.id, value);
    else {
      const message = `listing was measured with version ${value.version}, and the harness is pinned to ${manifest.version}`;
      const repair = 'measure it again, then write the new version here';
      problems.push({ severity: 'warning', message, where: locate(['version']), repair });
    }
  }
  return { listings, problems };
}
