import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellActs } from '../../src/harness/shell-acts.ts';
import { skillPlaces } from '../../src/harness/skill-paths.ts';

const FILE = '/home/agent/.claude/skills/alpha/SKILL.md';
const opens = (command: string) =>
  shellActs(command).reads.some((path) =>
    skillPlaces(path, ['alpha']).some(({ skill }) => skill === 'alpha'),
  );

describe('a shell command', () => {
  it('is read without an error, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('"', "'", '\\', '$', '<<E', '\n', ' ', ';', '|', '>', '(', 'cd', 'x/y', '*'),
        ),
        (parts) => {
          expect(Array.isArray(shellActs(parts.join('')).reads)).toBe(true);
        },
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(shellActs(text).runs)));
  });

  it('opens the Skill that one of its commands reads, whatever the others are', () => {
    const word = fc.stringMatching(/^[a-z0-9._/-]{1,12}$/);
    const command = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `true ${words.join(' ')}`);
    const joint = fc.constantFrom(' ; ', ' && ', '\n', ' || ');
    const reader = fc.constantFrom(
      'cat',
      'head -n 3',
      'sed -n 1,9p',
      'grep -c x',
      'less',
      'python3 -m json.tool',
    );
    fc.assert(
      fc.property(command, joint, reader, (before, by, read) => {
        expect(opens(`${before}${by}${read} ${FILE}${by}${before}`)).toBe(true);
        expect(opens(`${before}${by}ls ${FILE}${by}${before}`)).toBe(false);
      }),
    );
  });
});
