const BODY = '\nBody line one.\n\nMore text.\n';
const SAYS = 'description: Says what it does.';

/** A file with these lines as its head. */
export function head(...lines: readonly string[]): string {
  return `---\n${lines.join('\n')}\n---\n${BODY}`;
}

/**
 * What Claude Code, Codex, Gemini CLI, OpenCode, OpenHands and Qwen Code list, in this order: `L` as the head says, `O` otherwise,
 * `I` not at all, `?` where their data says nothing. Versions are in `harnesses/<id>/skill-listing.yaml`.
 */
export type Seen = string;

/** Folder, SKILL.md (null: it is called skill.md), and what the six do. */
export type HeadCase = readonly [folder: string, text: string | Uint8Array | null, seen: Seen];

const long = 'n'.repeat(65);

/** Heads that were given to all six programs, and what their first request, or their own account of it, then showed. */
export const MEASURED: readonly HeadCase[] = [
  ['plain', head('name: plain', SAYS), 'LLLLLL'],
  ['bom', `\uFEFF${head('name: bom', SAYS)}`, 'LIILOL'],
  ['crlf', head('name: crlf', SAYS).replaceAll('\n', '\r\n'), 'LLLLLL'],
  ['colon', head('name: colon', 'description: Use when: x'), 'LLLLIL'],
  ['bracket-desc', head('name: bracket-desc', 'description: [WIP] Fills forms.'), 'LLLIIL'],
  ['at-desc', head('name: at-desc', 'description: @acme forms'), 'LLLIIL'],
  ['name-missing', head(SAYS), 'OOIIOI'],
  ['name-empty', head('name:', SAYS), 'OOOIII'],
  ['name-capitals', head('name: NAME-Capitals', SAYS), 'OOOOIO'],
  ['name_under', head('name: name_under', SAYS), 'LLLLIL'],
  ['name-differs', head('name: other-name', SAYS), 'OOOOIO'],
  ['name--double', head('name: name--double', SAYS), 'LLLLIL'],
  ['name-yes', head('name: yes', SAYS), 'OOOOIO'],
  ['name-path', head('name: ../name-path', SAYS), 'OOOOII'],
  [long, head(`name: ${long}`, SAYS), 'LILLIL'],
  ['desc-missing', head('name: desc-missing'), 'OIIIOI'],
  ['desc-empty', head('name: desc-empty', 'description:'), 'OIOIOI'],
  ['desc-list', head('name: desc-list', 'description: [a, b]'), 'OIOIIO'],
  ['desc-number', head('name: desc-number', 'description: 42'), 'LLLIIL'],
  ['desc-verylong', head('name: desc-verylong', `description: ${'a'.repeat(3000)}`), 'OOLLOL'],
  ['desc-lines', head('name: desc-lines', 'description: |', '  First line.', '  Second line.'), 'LLLLLL'],
  ['unknown-key', head('name: unknown-key', SAYS, 'version: 1', 'stats: {a: 1}'), 'LLLLLL'],
  ['tools-list', head('name: tools-list', SAYS, 'allowed-tools: [Bash, Read]'), 'LLLLLL'],
  ['compat-map', head('name: compat-map', SAYS, 'compatibility: {os: linux}'), 'LLLLIL'],
  ['license-number', head('name: license-number', SAYS, 'license: 1'), 'LLLLIL'],
  ['metadata-nested', head('name: metadata-nested', SAYS, 'metadata:', '  tags: [a, b]'), 'LLLLLL'],
  ['metadata-list', head('name: metadata-list', SAYS, 'metadata: [a]'), 'LILLIL'],
  ['hooks', head('name: hooks', SAYS, 'hooks: {}'), 'LLLLLL'],
  ['dup-key', head('name: dup-key', SAYS, 'name: dup-key'), 'LILILL'],
  ['tab-indent', head('name: tab-indent', SAYS, 'metadata:', '\tauthor: a'), 'LILLIL'],
  ['yaml-broken', head('name: yaml-broken', 'description: "unclosed'), 'OIOIIO'],
  ['no-close', `---\nname: no-close\n${SAYS}\n${BODY}`, 'OIIIOI'],
  ['no-head', `# Title line\n${BODY}`, 'OIIIOI'],
  ['blank-first', `\n${head('name: blank-first', SAYS)}`, 'OIIILI'],
  ['close-eof', `---\nname: close-eof\n${SAYS}\n---`, 'LLLLLL'],
  ['list-top', head('- name: list-top'), 'OIIIOI'],
  ['empty-file', '', 'OIIIOI'],
  ['nul', head('name: nul', 'description: Says\0what.'), 'OILIIL'],
  ['rule-blanks', head('name: rule-blanks', SAYS).replace(/^---$/gm, '---  '), 'LLILLI'],
  ['latin1', Buffer.from(head('name: latin1', 'description: café.'), 'latin1'), 'OIOOIO'],
  ['body-rule', `${head('name: body-rule', SAYS)}\n---\nmore\n`, 'LLLLLL'],
  ['lower', null, 'IIIIOI'],
  ['colon-quoted', head('name: colon-quoted', 'description: "Use when: x"'), 'LLLLLL'],
  ['colon-single', head('name: colon-single', "description: 'Use when: x'"), 'LLLLLL'],
  ['second-line', head('name: second-line', 'description: Fills', '  forms.'), 'LLLLLL'],
  ['folded', head('name: folded', 'description: >', '  Fills', '  forms: all.'), 'LLLLLL'],
  ['folded-strip', head('name: folded-strip', 'description: >-', '  Fills', '  forms.'), 'LLLLLL'],
  ['literal-strip', head('name: literal-strip', 'description: |-', '  Fills', '  forms.'), 'LLLLLL'],
  ['comments', head('# about', 'name: comments', '# more', SAYS), 'LLLLLL'],
  ['d1024', head('name: d1024', `description: ${'a'.repeat(1024)}`), 'LLLLLL'],
  ['cjk1024', head('name: cjk1024', `description: ${'字'.repeat(1024)}`), 'LLLLLL'],
  ['yes', head('name: yes', SAYS), 'LLLLIL'],
  ['name-number', head('name: 123', SAYS), 'OOOIIO'],
  ['tools-map', head('name: tools-map', SAYS, 'allowed-tools: {a: b}'), 'LLLLIL'],
  ['tools-text', head('name: tools-text', SAYS, 'allowed-tools: Bash(git:*) Read'), 'LLLLLL'],
  ['compat-long', head('name: compat-long', SAYS, `compatibility: ${'a'.repeat(501)}`), 'LLLLLL'],
  ['licence', head('name: licence', SAYS, 'licence: MIT'), 'LLLLLL'],
  ['license', head('name: license', SAYS, 'license: Apache-2.0'), 'LLLLLL'],
  ['metadata', head('name: metadata', SAYS, 'metadata:', '  author: a', '  version: "1.0"'), 'LLLLLL'],
  ['hyphen-last-', head('name: hyphen-last-', SAYS), 'LLLLIL'],
  ['unicode', head('name: unicode', 'description: Ünïcode — “quotes”, 漢字 and emoji 🙂'), 'LLLLLL'],
  ['bom-crlf', `\uFEFF${head('name: bom-crlf', SAYS).replaceAll('\n', '\r\n')}`, 'LIILOL'],
  ['two-faults', head('name: Two_Faults', 'description: Use when: x'), 'OOOOIO'],
  ['two words', head('name: two words', SAYS), 'LLLLII'],
  ['par(en)', head('name: par(en)', SAYS), 'LLLLII'],
  ['at@sign', head('name: at@sign', SAYS), 'LLLLII'],
  ['plus+sign', head('name: plus+sign', SAYS), 'LLLLII'],
  ['and&sign', head('name: and&sign', SAYS), 'LLLLII'],
  ['hash#tag', head('name: hash#tag', SAYS), 'LLLLII'],
  ['semi;colon', head('name: semi;colon', SAYS), 'LLLLII'],
  ['dot.dot', head('name: dot.dot', SAYS), 'LLLLIL'],
  ['äccent', head('name: äccent', SAYS), 'LLLLIL'],
  ['字', head('name: 字', SAYS), 'LLLLIL'],
  ['on', head('name: on', SAYS), 'LLLLIL'],
  ['Upper Case', head('name: Upper Case', SAYS), 'LLLLII'],
  ['n-blank', head('name: n blank', SAYS), 'OOOOII'],
  ['n-accent', head('name: n-äccent', SAYS), 'OOOOIO'],
  ['n-slash', head('name: a/n-slash', SAYS), 'OOOOII'],
  ['n-bool', head('name: true', SAYS), 'OOOIIO'],
  ['-lead', head('name: -lead', SAYS), 'LLLLIL'],
  ['trail-', head('name: trail-', SAYS), 'LLLLIL'],
  ['u-tick', head('name: u-tick', 'description: `code` does it'), 'LLLIIL'],
  ['u-brace', head('name: u-brace', 'description: {x} fills'), 'LLLIIL'],
  ['u-both', head('name: u-both', 'description: [WIP] Use when: x'), 'LLLIIL'],
  ['u-endcolon', head('name: u-endcolon', 'description: Use when:'), 'OILLIL'],
  ['d-true', head('name: d-true', 'description: true'), 'LLLIIL'],
  ['u-license', head('name: u-license', SAYS, 'license: MIT: see file'), 'LLLLIL'],
  ['d-listlines', head('name: d-listlines', 'description:', '  - a', '  - b'), 'OIOIIO'],
  ['c-number', head('name: c-number', SAYS, 'compatibility: 1'), 'LLLLIL'],
  ['t-number', head('name: t-number', SAYS, 'allowed-tools: 1'), 'LLLLIL'],
  ['m-scalar', head('name: m-scalar', SAYS, 'metadata: x'), 'LILLIL'],
  ['l-map', head('name: l-map', SAYS, 'license: {a: b}'), 'LLLLIL'],
  ['sent-top', '---\nJust a sentence.\n---\nBody.\n', 'OIIIOI'],
];

/**
 * Heads that were given to the six as well, and of which a program was seen to make something else than of the others that break the
 * same rule: what their data says, and what was seen.
 */
export const APART: readonly (readonly [...HeadCase, seen: Seen])[] = [
  ['second-colon', head('name: second-colon', 'description: Fills', '  when: asked'), 'OIL?IO', 'OILIIO'],
  ['d1025', head('name: d1025', `description: ${'a'.repeat(1025)}`), 'OOLLOL', 'LOLLOL'],
  ['cjk1025', head('name: cjk1025', `description: ${'字'.repeat(1025)}`), 'OOLLOL', 'LOLLOL'],
  ['l2', head('name: l2', 'description: Fills forms', '  in three ways: a, b'), 'OIL?IO', 'OILIIO'],
  ['l3', head('name: l3', 'description: Fills forms:', '  all.'), 'OIL?IO', 'OILLIO'],
  ['l5', head('name: l5', 'description: [WIP] fills', '  forms.'), 'OIL?IO', 'OILIIO'],
  ['l6', head('name: l6', 'description: Use when: forms', '  are to be filled.'), 'OIL?IO', 'OILLIO'],
  ['u-amp', head('name: u-amp', 'description: & more'), 'LLLIIL', 'LILIIL'],
  ['u-pct', head('name: u-pct', 'description: % more'), 'LLLIIL', 'LILIIL'],
  ['u-star', head('name: u-star', 'description: *bold* text'), 'LLLIIL', 'LILIIL'],
  ['u-gt', head('name: u-gt', 'description: > more'), 'OIOIIO', 'OILIIL'],
  ['d-date', head('name: d-date', 'description: 2024-01-01'), 'LLLLLL', 'LLLIIL'],
  ['d-emptyq', head('name: d-emptyq', 'description: ""'), 'OIOIOI', 'OIOOOI'],
  ['d-map', head('name: d-map', 'description: {a: b}'), 'OIOIIO', 'OLLIII'],
  ['y-nokey', head('name: y-nokey', SAYS, 'just words'), 'OIOIIO', 'OILIIL'],
  ['u-license-at', head('name: u-license-at', SAYS, 'license: @acme'), 'OIOIIO', 'LLLIIL'],
  ['123', head('name: 123', SAYS), 'OOOIIO', 'LLLILL'],
  ['n-list', head('name: [a, b]', SAYS), 'OOOIIO', 'OIOIII'],
  ['co:lon', head('name: co:lon', SAYS), 'LLLLIL', 'LLOLIL'],
  ['utf16', Buffer.from(`\uFEFF${head('name: utf16', SAYS)}`, 'utf16le'), 'OIOOIO', 'OIIIII'],
];
