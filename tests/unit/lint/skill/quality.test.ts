import { describe, expect, test } from 'vitest';
import { rateSkill } from '../../../../src/lint/skill/quality.ts';
import { estimateTokens } from '../../../../src/lint/skill/token-estimate.ts';

const points = (description: string, body: string) =>
  Object.entries(Object.groupBy(rateSkill({ description, body }), ({ aspect }) => aspect)).map(
    ([aspect, ofIt = []]) => [aspect, ofIt.filter(({ given }) => given).length],
  );

const FULL = `# Weeks

Weeks start on Monday. Use \`date +%G-W%V\` for the number, and \`%u\` for the day.

## Steps

1. Read the date from the column \`day\`.
2. Ask for its week.
3. Do not use \`%Y\`: near New Year it names another year than the week has.

A year has 52 or 53 weeks. The first week of a year has 4 days or more in it, so that the 4th of January is always in week 1.

## Example

\`\`\`sh
date -d 2027-01-01 +%G-W%V
\`\`\`

gives

\`\`\`text
2026-W53
\`\`\`

Books that are kept by weeks name the year of the week and not that of the day. When both stand in one table, check the rows of the
first and the last week of each year by hand: they are the only rows in which the two can differ at all.
`;

describe('points for the form of a Skill', () => {
  test('are twelve, three for each aspect, where every sign is there', () => {
    expect(
      points('Numbers of calendar weeks by ISO 8601. Use when dates are booked to weeks.', FULL),
    ).toEqual([
      ['completeness', 3],
      ['clarity', 3],
      ['specificity', 3],
      ['examples', 3],
    ]);
  });

  test('are none where there is nothing', () => {
    expect(points('x', '')).toEqual([
      ['completeness', 0],
      ['clarity', 0],
      ['specificity', 0],
      ['examples', 0],
    ]);
  });

  test('are lost for long sentences alone', () => {
    const given = rateSkill({ description: 'x', body: `${'word '.repeat(40)}.` }).filter((one) => one.given);
    expect(given).toEqual([]);
  });
});

describe('the estimate of tokens', () => {
  test.each([
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['漢字', 2],
    ['漢字abcd', 3],
  ])('of %j', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
