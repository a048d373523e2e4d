import { describe, expect, it } from 'vitest';
import { lintInstruction, sharedRun } from '../../../../src/lint/task/instruction-skills.ts';

const lint = (instruction: string, bodies: Record<string, string>) =>
  lintInstruction({ instruction, path: 'i.md', skillBodies: new Map(Object.entries(bodies)) }).map(
    ({ where, message }) => `${where?.line}:${where?.column} ${message}`,
  );

/** Text without repetition: each word is its own number. */
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `w${from + index}`).join(' ');

describe('the name of a Skill in the instruction', () => {
  it.each([
    'Use search-accommodations to find one.',
    'Use search_accommodations to find one.',
    'Use the search accommodations tool.',
    'See skills/search-accommodations/SKILL.md.',
    'Call `Search-Accommodations`.',
  ])('is found in: %s', (text) => {
    expect(lint(text, { 'search-accommodations': '' })[0]).toContain(
      'names the Skill "search-accommodations"',
    );
  });

  it.each([
    'Open skills/pdf/SKILL.md first.',
    'Use the pdf skill.',
    'Use the skill `pdf`.',
    'Read pdf/SKILL.md.',
  ])('of one word is found beside the word skill or in a path: %s', (text) => {
    expect(lint(text, { pdf: '' })[0]).toContain('names the Skill "pdf"');
  });

  it.each([
    'Write report.pdf.',
    'The pdf has two pages.',
    'Use pdfplumber.',
    'Research accommodations.',
    'Write search_accommodations.py.',
  ])('is not found in: %s', (text) => {
    expect(lint(text, { pdf: '', 'search-accommodations': '' })).toEqual([]);
  });

  it('is given with its line and column, and does not run away on odd names', () => {
    expect(lint('One.\nUse a+b (c) now.', { 'a+b-(c)': '' })).toEqual([
      '2:5 the instruction names the Skill "a+b-(c)", so that all arms hear of it',
    ]);
  });
});

it('warns where an instruction speaks of skills without naming one', () => {
  expect(lint('First.\nUse your skills.', { pdf: '' })).toEqual([
    '2:10 the instruction speaks of skills, also to an agent that has none',
  ]);
});

it('keeps quiet about skilled and skillet', () => {
  expect(lint('A skilled cook owns a skillet.', { pdf: '' })).toEqual([]);
});

describe('a stretch that instruction and Skill share', () => {
  // 40 words of "wNNN" and the blanks between them: 40 * 4 + 39 = 199 characters; 200 with the blank before.
  const stretch = words(100, 40);

  it('counts from 200 characters on, white space taken as one blank', () => {
    const instruction = `Intro X ${stretch} Y end`;
    expect(stretch.length).toBe(199);
    expect(sharedRun(instruction, `Z${stretch}Z`)).toBeUndefined();
    expect(sharedRun(instruction, `Z ${stretch}Z`)).toEqual({ offset: 7, length: 200 });
    expect(sharedRun(instruction, `Z\n\n ${stretch.replaceAll(' ', '\n')}Z`)).toEqual({
      offset: 7,
      length: 200,
    });
  });

  it('is found wherever it begins', () => {
    for (let shift = 0; shift < 250; shift += 7) {
      const instruction = `${'.'.repeat(shift)}${words(100, 60)}`;
      expect(sharedRun(instruction, `# Title\n${words(100, 60)}`)?.offset).toBe(shift);
    }
  });

  it('is a warning with its place and its length', () => {
    expect(lint(`Do it.\n${words(100, 50)}`, { pdf: `x${words(100, 50)}` })).toEqual([
      '2:1 the instruction shares 249 characters in a row with the Skill "pdf", so that all arms hear of it',
    ]);
  });
});
