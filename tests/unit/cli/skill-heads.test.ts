import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assessSkill, listingHarnesses } from '../../../src/cli/assess-skill.ts';
import { ROOT } from '../../support/pages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { APART, type HeadCase, head, MEASURED } from './skill-heads.ts';

const SIX = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'openhands', 'qwen-code'];
const LETTERS = { listed: 'L', 'listed-otherwise': 'O', ignored: 'I', 'not-measured': '?' };
const known = await listingHarnesses(join(ROOT, 'harnesses'), ROOT, SIX);

async function assess([folder, text]: readonly [folder: string, text: HeadCase[1], ...unknown[]]) {
  await using root = await temporaryFolder();
  const dir = join(root.path, folder);
  await mkdir(dir);
  const plain = head(`name: ${folder}`, 'description: Says what it does.');
  await writeFile(join(dir, text === null ? 'skill.md' : 'SKILL.md'), text ?? plain);
  return await assessSkill(dir, root.path, known);
}

describe('what each harness would do with a Skill', () => {
  test.each(MEASURED)('%s: as its programs did', async (folder, text, seen) => {
    const { listings } = await assess([folder, text]);
    expect(listings.map(({ effect }) => LETTERS[effect]).join('')).toBe(seen);
  });

  test.each(APART)('%s: as they did with others that break its rule', async (folder, text, said, seen) => {
    const { listings } = await assess([folder, text]);
    expect(listings.map(({ effect }) => LETTERS[effect]).join('')).toBe(said);
    expect(said).not.toBe(seen);
  });

  test('is known of more than ninety differing heads', () => {
    const texts = MEASURED.map(([folder, text]) => `${folder}/${String(text)}`);
    expect(new Set(texts).size).toBeGreaterThan(90);
  });

  test('names how the Skill would be shown, and the rule behind it', async () => {
    const { listings } = await assess(['short', head('name: other', 'description: d')]);
    expect(listings.map(({ as, rules }) => [as, rules])).toEqual([
      ['short (other)', ['name-folder']],
      ['other', ['name-folder']],
      ['other', ['name-folder']],
      ['other', ['name-folder']],
      [undefined, ['name-folder']],
      ['other', ['name-folder']],
    ]);
  });
});

describe('the verdict on a Skill', () => {
  test.each([
    ['plain', head('name: plain', 'description: d'), 'portable'],
    [
      'a_b',
      head('name: a_b', 'description: d'),
      'accepted by claude-code, codex, gemini-cli, opencode, qwen-code; ignored by openhands',
    ],
    ['no-description', head('name: no-description'), 'invalid'],
    [
      'two-lines',
      head('name: two-lines', 'description: Use when: x', '  or y'),
      'accepted by claude-code, gemini-cli, qwen-code; ignored by codex, openhands; not measured: opencode',
    ],
  ])('%s', async (folder, text, verdict) => {
    expect((await assess([folder, text])).verdict).toBe(verdict);
  });
});

test('a problem of every head has a line and a repair, or is about the file as a whole', async () => {
  const odd: string[] = [];
  for (const one of [...MEASURED, ...APART]) {
    for (const { rule, where, repair } of (await assess(one)).findings) {
      const isWhole = ['skill-file', 'skill-file-case', 'skill-file-text'].includes(rule);
      if (repair === undefined || (where?.line === undefined && !isWhole)) odd.push(`${one[0]} ${rule}`);
    }
  }
  expect(odd).toEqual([]);
});
