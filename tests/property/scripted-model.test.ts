import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseSkills } from '../../harnesses/literal/src/choose.ts';
import { commandBlocks as literalBlocks } from '../../harnesses/literal/src/command-blocks.ts';
import { commandBlocks } from '../../src/gateway/scripted/command-blocks.ts';
import { fittingSkills } from '../../src/gateway/scripted/fitting-skills.ts';
import { listedSkills } from '../../src/gateway/scripted/listed-skills.ts';
import { textPieces } from '../../src/gateway/scripted/text-pieces.ts';
import { ModelProtocol } from '../../src/model/model-protocol.ts';

const line = fc.constantFrom(
  '```sh',
  '```bash',
  '```',
  '````',
  '~~~',
  '~~~sh',
  '```python',
  '  ```sh',
  '  ```',
  'echo a',
  '  echo b',
  '',
  '```sh example',
);

it('command blocks are those that the literal harness finds', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n');
      expect(commandBlocks(text)).toEqual(literalBlocks(text));
    }),
  );
});

const words = fc
  .array(
    fc.constantFrom(
      'growth',
      'rates',
      'growing',
      'annual',
      'flights',
      'zone',
      'the',
      'file',
      'payroll',
      'mean',
      'gaps',
    ),
    { maxLength: 8 },
  )
  .map((list) => list.join(' '));

it('the Skills that fit are those that the literal harness chooses, in its order', () => {
  const skill = fc.record({ name: fc.stringMatching(/^[a-d]{1,2}$/), description: words });
  fc.assert(
    fc.property(
      words,
      fc.uniqueArray(skill, { selector: ({ name }) => name, maxLength: 6 }),
      (instruction, skills) => {
        const found = skills.map((one) => ({ ...one, folder: one.name, path: `/s/${one.name}/SKILL.md` }));
        const chosen = chooseSkills(instruction, found).map(({ skill: { name } }) => name);
        expect(fittingSkills(instruction, skills).map(({ name }) => name)).toEqual(chosen);
      },
    ),
  );
});

it('pieces of a text are the text, none is empty, and none ends within a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
      (text, count) => {
        const pieces = textPieces(text, count);
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece !== '' && piece.isWellFormed())).toBe(true);
        if (count !== undefined) expect(pieces.length).toBeLessThanOrEqual(count);
      },
    ),
  );
});

it('any JSON is read as a request without a fall', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...ModelProtocol.options), (text, protocol) => {
      expect(listedSkills(JSON.parse(text), protocol)).toEqual([]);
    }),
  );
});
