import { describe, expect, it } from 'vitest';
import { readSkillHead } from '../../../../harnesses/literal/src/skill-head.ts';

describe('the head of a SKILL.md', () => {
  it.each([
    ['plain', 'name: a\ndescription: Does this.'],
    ['double quotes', 'name: "a"\ndescription: "Does this."'],
    ['single quotes', "name: 'a'\ndescription: 'Does this.'"],
    ['a folded block', 'name: a\ndescription: >-\n  Does\n  this.'],
    ['a literal block', 'name: a\ndescription: |\n  Does\n  this.'],
    ['a continued line', 'name: a\ndescription: Does\n  this.\nlicense: MIT'],
    ['the other order and more keys', 'metadata:\n  name: no\ndescription: Does this.\nname: a'],
    ['a comment', 'name: a # short\ndescription: Does this.'],
  ])('is read with %s', (_, head) => {
    expect(readSkillHead(`---\n${head}\n---\n# Body\n---\n`)).toEqual({
      name: 'a',
      description: 'Does this.',
    });
  });

  it('is read with a byte order mark and CRLF', () => {
    const text = '\uFEFF---\r\nname: a\r\ndescription: Does this.\r\n---\r\nBody';
    expect(readSkillHead(text)).toEqual({ name: 'a', description: 'Does this.' });
  });

  it('keeps colons, quotes and doubled quotes within a description', () => {
    expect(readSkillHead("---\ndescription: 'Use when: it''s \"late\"'\n---\n")?.description).toBe(
      'Use when: it\'s "late"',
    );
  });

  it.each([
    ['without a head', '# Title\n'],
    ['without a closing rule', '---\ndescription: x\n'],
    ['without a description', '---\nname: a\n---\n'],
    ['that is empty', ''],
  ])('is nothing in a file %s', (_, text) => {
    expect(readSkillHead(text)).toBeUndefined();
  });
});
