import { shortDigest } from '../base/digest.ts';
import { formatCount, formatNames } from './format.ts';
import { plainLine } from './plain-text.ts';
import { textColumns } from './text-columns.ts';

/** How one harness shows a Skill. */
export interface ListingCell {
  readonly harness: string;
  readonly effect: 'listed' | 'listed-otherwise' | 'ignored' | 'not-measured';
  readonly as?: string;
}

/** What is told of one Skill. */
export interface SkillRow {
  readonly subject: string;
  readonly verdict: string;
  readonly listings: readonly ListingCell[];
  readonly files: number;
  readonly bytes: number;
  /** Estimate for SKILL.md; undefined where that could not be read. */
  readonly tokens: number | undefined;
  /** Absent where it does not load. */
  readonly digest?: string;
  readonly points?: number;
}

const EFFECTS = {
  listed: 'listed',
  'listed-otherwise': 'otherwise',
  ignored: 'IGNORED',
  'not-measured': 'not measured',
} as const;

/** A line for each Skill, a column for each harness, then how it is shown where that is not as the Skill says. */
export function renderPortability(rows: readonly SkillRow[], mostPoints: number): string {
  const harnesses = rows[0]?.listings.map(({ harness }) => harness) ?? [];
  const head = ['skill', ...harnesses, 'files', 'bytes', '~tokens', 'form', 'digest', 'verdict'];
  const table = textColumns(
    head,
    rows.map(({ subject, listings, verdict, points, ...row }) => [
      plainLine(subject),
      ...listings.map(({ effect }) => EFFECTS[effect]),
      formatCount(row.files),
      formatCount(row.bytes),
      tokensText(row.tokens),
      points === undefined ? '-' : `${points}/${mostPoints}`,
      digestText(row.digest),
      verdict,
    ]),
  );
  const shown = rows.flatMap(({ subject, listings }) =>
    listings.flatMap(({ harness, as }) =>
      as === undefined ? [] : [`${plainLine(subject)}: ${harness} shows it as ${plainLine(as)}`],
    ),
  );
  return shown.length === 0 ? table : [table, '', ...shown].join('\n');
}

/** What `skill list` tells of one Skill. */
export interface ListedSkillRow {
  readonly name: string;
  /** The head's name; undefined where it does not load. */
  readonly title: string | undefined;
  readonly files: number;
  readonly tokens: number | undefined;
  readonly digest?: string;
  readonly tasks: readonly string[];
}

const MOST_TASKS = 4;

/** A line for each Skill of a library. */
export function renderSkillList(rows: readonly ListedSkillRow[]): string {
  return textColumns(
    ['skill', 'title', 'files', '~tokens', 'digest', 'used by'],
    rows.map(({ name, title, files, tokens, digest, tasks }) => [
      plainLine(name),
      title === undefined ? 'does not load' : plainLine(title),
      formatCount(files),
      tokensText(tokens),
      digestText(digest),
      tasks.length === 0 ? '-' : plainLine(formatNames(tasks, MOST_TASKS)),
    ]),
  );
}

function tokensText(tokens: number | undefined): string {
  return tokens === undefined ? '?' : formatCount(tokens);
}

function digestText(digest: string | undefined): string {
  return digest === undefined ? '-' : shortDigest(digest);
}
