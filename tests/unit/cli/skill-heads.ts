const BODY = '\nBody line one.\n\nMore text.\n';
const SAYS = 'description: Says what it does.';

/** A file with these lines as its head. */
export function head(...lines: readonly string[]): string {
  return `---\n${lines.join('\n')}\n---\n${BODY}`;
}

/**
 * What Claude Code, Codex, Gemini CLI and OpenHands list, in this order: `L` as the head says, `O` otherwise, `I` not at all, `?` where
 * nobody measured it. With a full stop behind it: this very file was given to the four programs (versions in
 * `harnesses/<id>/skill-listing.yaml`), and this is what their first request, or their own account of it, showed.
 */
export type Seen = string;

/** Folder, SKILL.md (null: it is called skill.md), and what was seen. */
export type HeadCase = readonly [folder: string, text: string | Uint8Array | null, seen: Seen];

const long = 'n'.repeat(65);

/** Every head that was given to the programs. */
export const MEASURED: readonly HeadCase[] = [
  ['plain', head('name: plain', SAYS), 'LLLL.'],
  ['bom', `\uFEFF${head('name: bom', SAYS)}`, 'LIIO.'],
  ['crlf', head('name: crlf', SAYS).replaceAll('\n', '\r\n'), 'LLLL.'],
  ['colon', head('name: colon', 'description: Use when: x'), 'LLLI.'],
  ['bracket-desc', head('name: bracket-desc', 'description: [WIP] Fills forms.'), 'LLLI.'],
  ['at-desc', head('name: at-desc', 'description: @acme forms'), 'LLLI.'],
  ['name-missing', head(SAYS), 'OOIO.'],
  ['name-empty', head('name:', SAYS), 'OOOI.'],
  ['name-capitals', head('name: NAME-Capitals', SAYS), 'OOOI.'],
  ['name_under', head('name: name_under', SAYS), 'LLLI.'],
  ['name-differs', head('name: other-name', SAYS), 'OOOI.'],
  ['name--double', head('name: name--double', SAYS), 'LLLI.'],
  ['name-yes', head('name: yes', SAYS), 'OOOI.'],
  ['name-path', head('name: ../name-path', SAYS), 'OOOI.'],
  [long, head(`name: ${long}`, SAYS), 'LILI.'],
  ['desc-missing', head('name: desc-missing'), 'OIIO.'],
  ['desc-empty', head('name: desc-empty', 'description:'), 'OIOO.'],
  ['desc-list', head('name: desc-list', 'description: [a, b]'), 'OIOI.'],
  ['desc-number', head('name: desc-number', 'description: 42'), 'LLLI.'],
  ['desc-verylong', head('name: desc-verylong', `description: ${'a'.repeat(3000)}`), 'OOLO.'],
  ['desc-lines', head('name: desc-lines', 'description: |', '  First line.', '  Second line.'), 'LLLL.'],
  ['unknown-key', head('name: unknown-key', SAYS, 'version: 1', 'stats: {a: 1}'), 'LLLL.'],
  ['tools-list', head('name: tools-list', SAYS, 'allowed-tools: [Bash, Read]'), 'LLLL.'],
  ['compat-map', head('name: compat-map', SAYS, 'compatibility: {os: linux}'), 'LLLI.'],
  ['license-number', head('name: license-number', SAYS, 'license: 1'), 'LLLI.'],
  ['metadata-nested', head('name: metadata-nested', SAYS, 'metadata:', '  tags: [a, b]'), 'LLLL.'],
  ['metadata-list', head('name: metadata-list', SAYS, 'metadata: [a]'), 'LILI.'],
  ['hooks', head('name: hooks', SAYS, 'hooks: {}'), 'LLLL.'],
  ['dup-key', head('name: dup-key', SAYS, 'name: dup-key'), 'LILL.'],
  ['tab-indent', head('name: tab-indent', SAYS, 'metadata:', '\tauthor: a'), 'LILI.'],
  ['yaml-broken', head('name: yaml-broken', 'description: "unclosed'), 'OIOI.'],
  ['no-close', `---\nname: no-close\n${SAYS}\n${BODY}`, 'OIIO.'],
  ['no-head', `# Title line\n${BODY}`, 'OIIO.'],
  ['blank-first', `\n${head('name: blank-first', SAYS)}`, 'OIIL.'],
  ['close-eof', `---\nname: close-eof\n${SAYS}\n---`, 'LLLL.'],
  ['list-top', head('- name: list-top'), 'OIIO.'],
  ['empty-file', '', 'OIIO.'],
  ['nul', head('name: nul', 'description: Says\0what.'), 'OILI.'],
  ['rule-blanks', head('name: rule-blanks', SAYS).replace(/^---$/gm, '---  '), 'LLIL.'],
  ['latin1', Buffer.from(head('name: latin1', 'description: café.'), 'latin1'), 'OIOI.'],
  ['body-rule', `${head('name: body-rule', SAYS)}\n---\nmore\n`, 'LLLL.'],
  ['lower', null, 'IIIO.'],
];

/** Heads like those that were measured, and some that nobody measured. */
export const DERIVED: readonly HeadCase[] = [
  ['colon-quoted', head('name: colon-quoted', 'description: "Use when: x"'), 'LLLL'],
  ['colon-single', head('name: colon-single', "description: 'Use when: x'"), 'LLLL'],
  ['second-line', head('name: second-line', 'description: Fills', '  forms.'), 'LLLL'],
  ['second-colon', head('name: second-colon', 'description: Fills', '  when: asked'), 'LLLI'],
  ['folded', head('name: folded', 'description: >', '  Fills', '  forms: all.'), 'LLLL'],
  ['folded-strip', head('name: folded-strip', 'description: >-', '  Fills', '  forms.'), 'LLLL'],
  ['literal-strip', head('name: literal-strip', 'description: |-', '  Fills', '  forms.'), 'LLLL'],
  ['comments', head('# about', 'name: comments', '# more', SAYS), 'LLLL'],
  ['d1024', head('name: d1024', `description: ${'a'.repeat(1024)}`), 'LLLL'],
  ['d1025', head('name: d1025', `description: ${'a'.repeat(1025)}`), 'OOLO'],
  ['cjk1024', head('name: cjk1024', `description: ${'字'.repeat(1024)}`), 'LLLL'],
  ['cjk1025', head('name: cjk1025', `description: ${'字'.repeat(1025)}`), 'OOLO'],
  ['yes', head('name: yes', SAYS), 'LLL?'],
  ['name-number', head('name: 123', SAYS), 'OOO?'],
  ['tools-map', head('name: tools-map', SAYS, 'allowed-tools: {a: b}'), '????'],
  ['tools-text', head('name: tools-text', SAYS, 'allowed-tools: Bash(git:*) Read'), 'LLLL'],
  ['compat-long', head('name: compat-long', SAYS, `compatibility: ${'a'.repeat(501)}`), '????'],
  ['licence', head('name: licence', SAYS, 'licence: MIT'), 'LLLL'],
  ['license', head('name: license', SAYS, 'license: Apache-2.0'), 'LLLL'],
  ['metadata', head('name: metadata', SAYS, 'metadata:', '  author: a', '  version: "1.0"'), 'LLLL'],
  ['hyphen-last-', head('name: hyphen-last-', SAYS), 'LLLI'],
  ['unicode', head('name: unicode', 'description: Ünïcode — “quotes”, 漢字 and emoji 🙂'), 'LLLL'],
  ['bom-crlf', `\uFEFF${head('name: bom-crlf', SAYS).replaceAll('\n', '\r\n')}`, 'LIIO'],
  ['two-faults', head('name: Two_Faults', 'description: Use when: x'), 'OOOI'],
];
