import { describe, expect, test } from 'vitest';
import { parseMarkdownHead } from '../../../src/load/markdown-head.ts';
import { mendSkillFile } from '../../../src/load/mend-skill-file.ts';
import { isMendable } from '../../../src/model/skill-rule.ts';
import { APART, MEASURED } from '../cli/skill-heads.ts';

const rulesOf = (text: string) => {
  const parsed = parseMarkdownHead({ text, path: 'SKILL.md', folder: 'a' });
  return (parsed.ok ? parsed.value.problems : parsed.error).map(({ rule }) => rule);
};

describe('what is mended in a SKILL.md without asking', () => {
  test.each([
    [
      'a byte order mark',
      '\uFEFF---\nname: a\ndescription: d\n---\nB\n',
      '---\nname: a\ndescription: d\n---\nB\n',
    ],
    [
      'CR LF of the head, never of the body',
      '---\r\nname: a\r\ndescription: d\r\n---\r\nB\r\nC\r\n',
      '---\nname: a\ndescription: d\n---\nB\r\nC\r\n',
    ],
    [
      'blanks behind the rules',
      '---  \nname: a\ndescription: d\n---\t\nB',
      '---\nname: a\ndescription: d\n---\nB',
    ],
    [
      'no newline behind the head',
      '---\nname: a\ndescription: d\n---',
      '---\nname: a\ndescription: d\n---\n',
    ],
    [
      'a value that needs quotes, with the line that goes on with it',
      '---\nname: a\n\ndescription: Use "when": x\n  and: y\n# note\nlicense: MIT\n---\nB: c\n',
      '---\nname: a\n\ndescription: "Use \\"when\\": x and: y"\n# note\nlicense: MIT\n---\nB: c\n',
    ],
  ])('%s', (_title, before, after) => {
    expect(mendSkillFile(before)).toBe(after);
  });

  test.each([
    ['a head without its end', '---\nname: a: b\nBody\n'],
    ['a file without a head', '# Title\r\n'],
    ['a name unlike the folder', '---\nname: other\ndescription: d\n---\n'],
  ])('nothing in %s', (_title, text) => {
    expect(mendSkillFile(text)).toBe(text);
  });

  test('of every head of the collection: clean of these rules afterwards, and the same when mended again', () => {
    const texts = [...MEASURED, ...APART].flatMap(([, text]) => (typeof text === 'string' ? [text] : []));
    const left = texts.filter((text) => {
      const mended = mendSkillFile(text);
      const isClosed = !rulesOf(text).some((rule) => /^head-(missing|first|closed)$|^skill-file/.test(rule));
      return mendSkillFile(mended) !== mended || (isClosed && rulesOf(mended).some(isMendable));
    });
    expect(left).toEqual([]);
  });
});
