import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listingHarnesses } from '../../../src/cli/assess-skill.ts';
import { MOST_POINTS, rateSkill } from '../../../src/lint/skill/quality.ts';
import { parseMarkdownHead } from '../../../src/load/markdown-head.ts';
import { isAboutListing, isMendable, SKILL_RULES, type SkillRule } from '../../../src/model/skill-rule.ts';
import { page, ROOT, tableRows } from '../../support/pages.ts';
import { APART, MEASURED } from '../cli/skill-heads.ts';

const PAGE = page('docs/skill-rules.md');
const RULES = Object.keys(SKILL_RULES) as SkillRule[];
/** Of each rule: name, level, and what it says. */
const paragraphs = [...PAGE.text.matchAll(/^### (\S+)\n\n_(error|warning|note)(, mended)?_: (.+)\.$/gm)];

test('the page has a paragraph for every rule, in order, with what it says and whether it is mended', () => {
  expect(paragraphs.map(([, rule, , mended, says]) => [rule, mended !== undefined, says])).toEqual(
    RULES.map((rule) => [rule, isMendable(rule), SKILL_RULES[rule].says]),
  );
});

test('the page gives the level at which a head is told of', () => {
  const levels = new Map(paragraphs.map(([, rule = '', level]) => [rule, level]));
  const wrong = [...MEASURED, ...APART].flatMap(([folder, text]) => {
    const parsed = parseMarkdownHead({ text: String(text), path: 'SKILL.md', folder });
    const problems = parsed.ok ? parsed.value.problems : parsed.error;
    return problems.filter(({ rule, severity }) => levels.get(rule) !== severity);
  });
  expect(wrong).toEqual([]);
});

test('the table says what the data of the harnesses says', async () => {
  const { harnesses, listings } = await listingHarnesses(join(ROOT, 'harnesses'), ROOT);
  const effect = (id: string, rule: SkillRule) => {
    const found = listings.get(id)?.rules[rule as never] as unknown;
    if (found === undefined) return '-';
    return typeof found === 'string' ? found : 'otherwise';
  };
  expect(tableRows(PAGE, 'rule')).toEqual(
    RULES.filter(isAboutListing).map((rule) => [
      `[${rule}](#${rule})`,
      ...harnesses.map(({ id }) => effect(id, rule)),
    ]),
  );
});

test('writing a Skill explains each point of the form', () => {
  const { text } = page('docs/writing-a-skill.md');
  const signs = rateSkill({ description: '', body: '' });
  expect(signs).toHaveLength(MOST_POINTS);
  expect(signs.filter(({ says }) => !text.includes(says))).toEqual([]);
});
