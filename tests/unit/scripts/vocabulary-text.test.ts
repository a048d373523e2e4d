import { describe, expect, test } from 'vitest';
import { vocabularyText } from '../../../scripts/vocabulary-text.ts';

function rows(source: string): readonly string[] {
  const text = vocabularyText(new Map([['src/model/word.ts', source]]), '');
  return text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| word'));
}

describe('vocabularyText', () => {
  test('gives a schema and its type of the same name one row, from the doc comment', () => {
    const source =
      '/** How one\n * word is used. */\nexport const SkillUse = 1;\nexport type SkillUse = number;';
    expect(rows(source)).toEqual(['| skill use | `SkillUse` | How one word is used. |']);
  });

  test('begins with the words that people wrote', () => {
    const text = vocabularyText(
      new Map(),
      '| word | meaning |\n|---|---|\n| arm | A condition within a pair. |\n',
    );
    expect(text.indexOf('| arm |')).toBeGreaterThan(text.indexOf('## First words'));
  });

  test('leaves out functions, private declarations and what has no doc comment', () => {
    const source = '/** A. */ export function a() {}\n/** B. */ type B = 1;\nexport type C = 2;';
    expect(rows(source)).toEqual([]);
  });

  test('keeps a table whole when a comment holds a bar', () => {
    expect(rows('/** `a` | `b`, see {@link Other}. */\nexport interface Choice {}')).toEqual([
      '| choice | `Choice` | `a` \\| `b`, see `Other`. |',
    ]);
  });
});
