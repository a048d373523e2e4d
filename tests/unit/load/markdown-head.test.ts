import { describe, expect, it } from 'vitest';
import { parseMarkdownHead } from '../../../src/load/markdown-head.ts';
import type { Problem } from '../../../src/model/problem.ts';

const parse = (text: string, folder = 'pdf-forms') => parseMarkdownHead({ text, path: 'SKILL.md', folder });

type Verdict = 'loads' | 'loads with warnings' | 'does not load';

/** The verdict on a file, and where and how its first warning or error is to be mended. */
function verdict(text: string, folder?: string): [Verdict, string?, string?] {
  const parsed = parse(text, folder);
  const all: readonly Problem[] = parsed.ok ? parsed.value.problems : parsed.error;
  const [worst] = all.filter(({ severity }) => severity === (parsed.ok ? 'warning' : 'error'));
  if (worst === undefined) return ['loads'];
  const place = [worst.where?.line, worst.where?.column].filter((part) => part !== undefined).join(':');
  return [parsed.ok ? 'loads with warnings' : 'does not load', place, worst.repair ?? ''];
}

const head = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nBody.\n`;
const NAME = 'name: pdf-forms';
const SAYS = 'description: Fills forms.';
const plain = head(NAME, SAYS);
const single = 'use lower-case letters, digits and single hyphens, as the folder does';

const TABLE: readonly (readonly [
  title: string,
  text: string,
  ...verdict: readonly (string | undefined)[],
])[] = [
  ['plain', plain, 'loads'],
  ['CRLF throughout', plain.replaceAll('\n', '\r\n'), 'loads'],
  ['blanks behind the rules', plain.replaceAll('---', '---  '), 'loads with warnings', '1:4', 'remove them'],
  [
    'a byte order mark',
    `\uFEFF${plain}`,
    'loads with warnings',
    '1:1',
    'save it as UTF-8 without a byte order mark',
  ],
  [
    'a colon without quotes',
    head(NAME, 'description: Use when: x'),
    'loads with warnings',
    '3:14',
    'put the value of "description" in double quotes',
  ],
  ['a colon in quotes', head(NAME, 'description: "Use when: x"'), 'loads'],
  ['a colon in single quotes', head(NAME, "description: 'Use when: x'"), 'loads'],
  [
    'a colon at the end',
    head(NAME, 'description: Use when:'),
    'loads with warnings',
    '3:14',
    'put the value of "description" in double quotes',
  ],
  ['a colon in a URL', head(NAME, 'description: See https://example.org/x'), 'loads'],
  ['an indented second line', head(NAME, 'description: Fills', '  forms.'), 'loads'],
  [
    'an indented second line with a colon',
    head(NAME, 'description: Fills forms', '  when: asked'),
    'loads with warnings',
    '3:14',
    'put the value of "description" in double quotes',
  ],
  ['a folded block', head(NAME, 'description: >', '  Fills', '  forms: all.'), 'loads'],
  ['a folded block, stripped', head(NAME, 'description: >-', '  Fills', '  forms.'), 'loads'],
  ['a literal block', head(NAME, 'description: |', '  Fills', '  forms.'), 'loads'],
  ['a literal block, stripped', head(NAME, 'description: |-', '  Fills', '  forms.'), 'loads'],
  ['no name', head(SAYS), 'does not load', '2:1', 'add "name: …" to the head'],
  ['an empty name', head('name:', SAYS), 'does not load', '2:6', 'write the name of the Skill'],
  ['a name of blanks', head('name: "  "', SAYS), 'does not load', '2:7', 'write the name of the Skill'],
  ['no description', head(NAME), 'does not load', '2:1', 'add "description: …" to the head'],
  [
    'an empty description',
    head(NAME, 'description: ""'),
    'does not load',
    '3:14',
    'write the description of the Skill',
  ],
  ['a name in capitals', head('name: PDF-Forms', SAYS), 'loads with warnings', '2:7', single],
  ['a name with blanks', head('name: pdf forms', SAYS), 'loads with warnings', '2:7', single],
  ['a name with an underscore', head('name: pdf_forms', SAYS), 'loads with warnings', '2:7', single],
  ['a name with a double hyphen', head('name: pdf--forms', SAYS), 'loads with warnings', '2:7', single],
  ['a name with a hyphen last', head('name: pdf-', SAYS), 'loads with warnings', '2:7', single],
  [
    'a name unlike the folder',
    head('name: other', SAYS),
    'loads with warnings',
    '2:7',
    'give both the same name',
  ],
  [
    'a name of 65 characters',
    head(`name: ${'a'.repeat(65)}`, SAYS),
    'loads with warnings',
    '2:7',
    'use at most 64',
  ],
  ['a name with ../', head('name: ../pdf-forms', SAYS), 'loads with warnings', '2:7', single],
  [
    'a map with a list in metadata',
    head(NAME, SAYS, 'metadata:', '  tags: [a, b]'),
    'loads with warnings',
    '5:3',
    'put them in quotes, without nesting',
  ],
  ['texts in metadata', head(NAME, SAYS, 'metadata:', '  author: a', '  version: "1.0"'), 'loads'],
  ['comment lines', head('# about', NAME, '# more', SAYS), 'loads'],
  ['--- in the body', `${plain}\n---\n\nMore.\n`, 'loads'],
  ['a closing rule that ends the file', `---\n${NAME}\n${SAYS}\n---`, 'loads'],
  [
    'no closing rule',
    `---\n${NAME}\n${SAYS}\n\nBody.\n`,
    'does not load',
    '1:1',
    'close the head with a line "---"',
  ],
  [
    'no head',
    '# PDF forms\n',
    'does not load',
    '1:1',
    'begin with "---", "name: …", "description: …", "---"',
  ],
  [
    'an empty line before the head',
    `\n${plain}`,
    'does not load',
    '1:1',
    'begin with "---", "name: …", "description: …", "---"',
  ],
  ['a description of 1,024 characters', head(NAME, `description: ${'a'.repeat(1024)}`), 'loads'],
  [
    'a description of 1,025 characters',
    head(NAME, `description: ${'a'.repeat(1025)}`),
    'loads with warnings',
    '3:14',
    'use at most 1024',
  ],
  ['a description of 1,024 CJK characters', head(NAME, `description: ${'字'.repeat(1024)}`), 'loads'],
  [
    'a description of 1,025 CJK characters',
    head(NAME, `description: ${'字'.repeat(1025)}`),
    'loads with warnings',
    '3:14',
    'use at most 1024',
  ],
  [
    'a description of 1,024 characters outside the BMP',
    head(NAME, `description: ${'𠀀'.repeat(1024)}`),
    'loads',
  ],
  [
    'a list at the top',
    head('- name: pdf-forms'),
    'does not load',
    '2:1',
    'write "name: …" and "description: …" in it',
  ],
  [
    'nothing between the rules',
    '---\n---\nBody.\n',
    'does not load',
    '1:1',
    'write "name: …" and "description: …" in it',
  ],
  [
    'a text at the top',
    head('just words'),
    'does not load',
    '2:1',
    'write "name: …" and "description: …" in it',
  ],
  ['the same key twice', head(NAME, SAYS, NAME), 'does not load', '4:1', 'keep one of the two'],
  ['name: 123', head('name: 123', SAYS), 'does not load', '2:7', 'put the value of "name" in quotes'],
  ['name: yes', head('name: yes', SAYS), 'loads with warnings', '2:7', 'give both the same name'],
  [
    'description: true',
    head(NAME, 'description: true'),
    'does not load',
    '3:14',
    'put the value of "description" in quotes',
  ],
  [
    'a list as description',
    head(NAME, 'description: [a, b]'),
    'does not load',
    '3:14',
    'put the value of "description" in quotes',
  ],
  [
    'tab indentation',
    head(NAME, SAYS, 'metadata:', '\tauthor: a'),
    'does not load',
    '5:1',
    'indent with spaces',
  ],
  ['an empty file', '', 'does not load', '1:1', 'begin with "---", "name: …", "description: …", "---"'],
  [
    'a NUL',
    plain.replace('Fills', 'Fi\0lls'),
    'does not load',
    '3:16',
    'remove it, or save the file as UTF-8',
  ],
  [
    'an unclosed quote',
    head(NAME, 'description: "Fills forms.'),
    'does not load',
    '3:14',
    'close the quote or the bracket',
  ],
  [
    'a description in brackets',
    head(NAME, 'description: [WIP] Fills forms.'),
    'loads with warnings',
    '3:14',
    'put the value of "description" in double quotes',
  ],
  [
    'a description that begins with @',
    head(NAME, 'description: @acme forms'),
    'loads with warnings',
    '3:14',
    'put the value of "description" in double quotes',
  ],
  [
    'a description that begins with a backtick',
    head(NAME, 'description: `pdf` forms'),
    'loads with warnings',
    '3:14',
    'put the value of "description" in double quotes',
  ],
  [
    'an unknown key',
    head(NAME, SAYS, 'licence: MIT'),
    'loads with warnings',
    '4:1',
    'did you mean "license"?',
  ],
  ['allowed-tools as a text', head(NAME, SAYS, 'allowed-tools: Bash Read'), 'loads'],
  [
    'allowed-tools as a list',
    head(NAME, SAYS, 'allowed-tools: [Bash, Read]'),
    'loads with warnings',
    '4:16',
    'write it as one text, with spaces between',
  ],
  [
    'compatibility as a map',
    head(NAME, SAYS, 'compatibility: { os: linux }'),
    'loads with warnings',
    '4:16',
    'write it as one text',
  ],
  [
    'hooks',
    head(NAME, SAYS, 'hooks: { Stop: "rm x" }'),
    'loads with warnings',
    '4:8',
    'make sure that this is meant',
  ],
  ['an anchor and an alias', head('name: &n pdf-forms', SAYS, 'metadata: { again: *n }'), 'loads'],
];

describe('the verdict on a head', () => {
  it.each(TABLE)('%s', (_title, text = '', ...expected) => {
    expect(verdict(text)).toEqual(expected);
  });

  it('is given on more than forty differing heads', () => {
    expect(new Set(TABLE.map(([, text]) => text)).size).toBeGreaterThan(40);
  });
});

describe('what is read', () => {
  it('keeps the value of a head that had to be read as if quoted', () => {
    const parsed = parse(head(NAME, 'description: Use when: "x" is asked', '  and also: y', 'license: MIT'));
    expect(parsed.ok && parsed.value.description).toBe('Use when: "x" is asked and also: y');
  });

  it('puts the problems behind a repaired value on their own lines', () => {
    const parsed = parse(head(NAME, 'description: Use when: x', '  and: y', 'licence: MIT'));
    const places = parsed.ok
      ? parsed.value.problems.map(({ where }) => `${where?.line}:${where?.column}`)
      : [];
    expect(places).toContain('5:1');
  });

  it('gives the body as it stands below the closing rule', () => {
    const parsed = parse(`${plain}\n---\nmore`);
    expect(parsed.ok && parsed.value.body).toBe('Body.\n\n---\nmore');
  });

  it('tells older YAML readers apart by quotes: name: "yes" needs no word', () => {
    const messages = (text: string) => {
      const parsed = parse(text, 'yes');
      return parsed.ok ? parsed.value.problems.map(({ message }) => message) : ['did not load'];
    };
    expect(messages(head('name: "yes"', SAYS))).toEqual([]);
    expect(messages(head('name: yes', SAYS))).toEqual([
      'older YAML readers take the name yes for true or false',
    ]);
  });

  it('notes a file of more than 500 lines', () => {
    const parsed = parse(plain + 'line\n'.repeat(500));
    expect(parsed.ok && parsed.value.problems.map(({ severity }) => severity)).toEqual(['note']);
  });
});

describe('control: heads of the usual shapes are accepted without a word', () => {
  const names = ['pdf', 'xlsx', 'git-bisect', 'a1', 'k8s-logs', 'time-series', '3d-scan', 'x'.repeat(64)];
  const descriptions = [
    'Fills forms. Use when the user asks for PDF work',
    '"Reads: writes, and merges"',
    "'It''s for sheets'",
    '>\n  Folded over\n  two lines.',
    '|\n  - literal\n  - lines: two',
    'Ünïcode — “quotes”, 漢字 and emoji 🙂',
    'A sentence, with (brackets), 50% & #hash inside#word, a/b, c:d, e@f',
  ];
  const rest = [
    '',
    'license: Apache-2.0\n',
    'license: Proprietary. LICENSE.txt has complete terms\n',
    'compatibility: Needs Python 3.11 and network access\n',
    'metadata:\n  author: example-org\n  version: "1.0"\n',
    'allowed-tools: Bash(git:*) Read\n',
    '# a comment\nlicense: MIT # another\n',
  ];
  const shapes = names.flatMap((name) =>
    descriptions.map(
      (description, index) => [name, description, rest[(index + name.length) % rest.length]] as const,
    ),
  );

  it(`all ${shapes.length} of them`, () => {
    const verdicts = shapes.map(([name, description, more]) =>
      verdict(`---\nname: ${name}\ndescription: ${description}\n${more}---\n# Title\n`, name),
    );
    expect(shapes.length).toBeGreaterThanOrEqual(40);
    expect(verdicts.filter(([said]) => said !== 'loads')).toEqual([]);
  });
});
