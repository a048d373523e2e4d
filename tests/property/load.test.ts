import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';
import { SHARED_RUN, sharedRun } from '../../src/lint/task/instruction-skills.ts';
import { bundleDigest } from '../../src/load/digest.ts';
import { HarborFile } from '../../src/load/harbor-file.ts';
import { parseMarkdownHead } from '../../src/load/markdown-head.ts';
import { TaskFile } from '../../src/load/task-file.ts';
import { parseToml } from '../../src/load/toml-file.ts';
import { parseYaml } from '../../src/load/yaml-file.ts';
import type { Problem } from '../../src/model/problem.ts';

const LINES = [
  '---',
  'name: a',
  'name:',
  'description: Use when: x',
  'description: "open',
  '  more: of it',
  '\tname: b',
  '- item',
  'metadata: { a: *b }',
  '&b !!map',
  '[agent]',
  'timeout_sec = 1',
  `env = { A = "\${B}" }`,
  '"""',
  '\uFEFF',
  '\0',
  '',
];

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(fc.constantFrom(...LINES), fc.string()), { maxLength: 12 })
    .map((lines) => lines.join('\n')),
);

/** Every place must be one that an editor can go to. */
function expectPlaces(problems: readonly Problem[], text: string): void {
  const lines = text.split(/\r\n|\n|\r/);
  for (const { where } of problems) {
    if (where?.line === undefined) continue;
    expect(where.line).toBeGreaterThan(0);
    expect(where.line).toBeLessThanOrEqual(lines.length + 1);
    expect(where.column ?? 1).toBeGreaterThan(0);
  }
}

it('any text is read or refused as a head, a task.yaml and a task.toml, with places inside it', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const results = [
        parseMarkdownHead({ text, path: 'f', folder: 'a' }),
        parseYaml({ text, path: 'f', schema: TaskFile }),
        parseToml({ text, path: 'f', schema: HarborFile }),
      ];
      for (const result of results) {
        if (!result.ok) expect(result.error.some(({ severity }) => severity === 'error')).toBe(true);
        expectPlaces(result.ok ? result.value.problems : result.error, text);
      }
    }),
    { numRuns: 2000 },
  );
});

it('any description in double quotes comes back as it was, trimmed', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (description) => {
      fc.pre(description.trim() !== '');
      const text = `---\nname: a\ndescription: ${JSON.stringify(description)}\n---\n`;
      const parsed = parseMarkdownHead({ text, path: 'f', folder: 'a' });
      expect(parsed.ok && parsed.value.description).toBe(description.trim());
    }),
  );
});

it('a plain description with a colon in it comes back whole', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.array(word, { minLength: 1 }), (before, behind) => {
      const description = `${before.join(' ')}: ${behind.join(' ')}`;
      const parsed = parseMarkdownHead({
        text: `---\nname: a\ndescription: ${description}\n---\n`,
        path: 'f',
        folder: 'a',
      });
      expect(parsed.ok && parsed.value.description).toBe(description);
    }),
  );
});

it('the digest of a bundle does not depend on the order of its entries', () => {
  const entry = fc.record({
    path: fc.string({ minLength: 1 }),
    kind: fc.constant('file' as const),
    mode: fc.constantFrom(0o644, 0o755),
    size: fc.nat(),
    digest: fc.stringMatching(/^sha256:[0-9a-f]{64}$/),
    hostPath: fc.string(),
  });
  const bundles = fc.uniqueArray(entry, { selector: ({ path }) => path, maxLength: 8 });
  const shuffledBundles = bundles.chain((entries) =>
    fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
  );
  fc.assert(
    fc.property(shuffledBundles, ([entries, other]) => {
      expect(bundleDigest(other)).toBe(bundleDigest(entries));
    }),
  );
});

it('a shared stretch is found exactly when there is one', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), {
    minLength: 180,
    maxLength: 220,
  });
  const around = fc.string({ unit: fc.constantFrom('x', 'y', 'z'), maxLength: 150 });
  fc.assert(
    fc.property(letters, around, around, (stretch, before, behind) => {
      const text = stretch.join('');
      const found = sharedRun(`${before}${text}1`, `2${text}${behind}`);
      expect(found?.offset).toBe(stretch.length >= SHARED_RUN ? before.length : undefined);
    }),
  );
});

it('a word is nearest to itself, and one slip away from it is found', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{6,12}$/), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (known, which, where) => {
      const word = known[which % known.length] ?? '';
      expect(nearest(word, known)).toBe(word);
      const cut = where % word.length;
      expect(nearest(word.slice(0, cut) + word.slice(cut + 1), [word])).toBe(word);
    }),
  );
});
