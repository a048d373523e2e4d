import { formatCount, formatMany, formatTokens } from './format.ts';
import { plainLine } from './plain-text.ts';
import type { SkillRow } from './skill-table.ts';
import { textColumns } from './text-columns.ts';

/** Everything told of one Skill. */
export interface SkillPage {
  readonly row: SkillRow;
  /** What its head says, or why it does not load. */
  readonly head: {
    readonly title?: string;
    readonly description?: string;
    readonly license?: string;
    readonly fault?: string | undefined;
  };
  readonly entries: readonly {
    readonly path: string;
    readonly kind: 'file' | 'folder';
    readonly mode: number;
    readonly size: number;
  }[];
  readonly quality: readonly { readonly aspect: string; readonly says: string; readonly given: boolean }[];
}

/** One Skill as a page of text: head, size, files with modes, how harnesses list it, points of its form. */
export function renderSkill({ row, head, entries, quality }: SkillPage): string {
  const { title, description, license, fault } = head;
  const given = quality.filter((point) => point.given).length;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['folder', row.subject],
    ['name', title ?? ['does not load', ...(fault === undefined ? [] : [fault])].join(': ')],
    ...(description === undefined ? [] : [['description', description] as const]),
    ...(license === undefined ? [] : [['license', license] as const]),
    ['digest', row.digest ?? 'none: it does not load'],
    ['size', `${formatMany(row.files, 'file')}, ${formatCount(row.bytes)} bytes`],
    ['SKILL.md', `about ${formatTokens(row.tokens)} tokens (estimate)`],
    ['verdict', row.verdict],
  ];
  const sections = [
    textColumns(
      ['', ''],
      facts.map(([name, value]) => [`${name}:`, plainLine(value)]),
    ).trimStart(),
    textColumns(
      ['mode', 'bytes', 'path'],
      entries.map(({ path, kind, mode, size }) => [
        mode.toString(8),
        kind === 'folder' ? '-' : formatCount(size),
        `${plainLine(path)}${kind === 'folder' ? '/' : ''}`,
      ]),
    ),
    textColumns(
      ['harness', 'would be'],
      row.listings.map(({ harness, effect, as }) => [
        harness,
        as === undefined ? effect.replace('-', ' ') : `listed as ${plainLine(as)}`,
      ]),
    ),
    quality.length === 0
      ? ''
      : [
          `form: ${given} of ${quality.length} (a heuristic: it cannot tell whether the Skill is right)`,
          ...quality.map(({ aspect, says, given: has }) => `  ${has ? '+' : '-'} ${aspect}: ${says}`),
        ].join('\n'),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}
