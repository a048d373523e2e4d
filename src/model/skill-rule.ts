import type { Problem } from './problem.ts';

/**
 * What a Skill is held to, in the order of reports. `listing`: breaking it may change whether, or how, a harness lists the Skill, so
 * each harness says in its `skill-listing.yaml` what it does then. `mendable`: `skill check --fix` mends it.
 */
export const SKILL_RULES = {
  'skill-file': { says: 'the folder has a SKILL.md', listing: true },
  'skill-file-case': { says: 'SKILL.md is spelt in these letters', listing: true },
  'skill-file-text': { says: 'SKILL.md is a text file in UTF-8', listing: true },
  'skill-file-empty': { says: 'SKILL.md is not empty', listing: true },
  'nul-character': { says: 'SKILL.md holds no NUL character', listing: true },
  'byte-order-mark': {
    says: 'SKILL.md starts with its head, not with a byte order mark',
    listing: true,
    mendable: true,
  },
  'head-line-ends': { says: 'lines of the head end in LF', listing: true, mendable: true },
  'head-missing': { says: 'SKILL.md has a head', listing: true },
  'head-first': { says: 'nothing stands before the head', listing: true },
  'head-closed': { says: 'the head is closed by a line "---"', listing: true },
  'head-rule-blanks': {
    says: 'the two lines "---" have no blanks behind them',
    listing: true,
    mendable: true,
  },
  'head-end': { says: 'the line that closes the head ends in a newline', listing: true, mendable: true },
  'head-map': { says: 'the head is a map of keys', listing: true },
  'yaml-syntax': { says: 'the head is YAML', listing: true },
  'yaml-duplicate-key': { says: 'no key stands twice', listing: true },
  'yaml-tab-indent': { says: 'the head is indented with spaces', listing: true },
  'unquoted-value': {
    says: 'values with a colon and a blank in them are quoted',
    listing: true,
    mendable: true,
  },
  'unquoted-start': {
    says: 'values that begin with a sign of YAML are quoted',
    listing: true,
    mendable: true,
  },
  'unquoted-end': { says: 'values that end in a colon are quoted', listing: true, mendable: true },
  'unquoted-lines': {
    says: 'values that need quotes and go on in the next line have them',
    listing: true,
    mendable: true,
  },
  'name-missing': { says: 'the head has a name', listing: true },
  'name-empty': { says: 'the name is not empty', listing: true },
  'name-not-text': { says: 'the name is a text', listing: true },
  'name-path': { says: 'the name is no path', listing: true },
  'name-case': { says: 'the name is in lower case', listing: true },
  'name-characters': { says: 'the name has letters, digits and hyphens only', listing: true },
  'name-signs': { says: 'the name has no blanks, brackets or other signs', listing: true },
  'name-hyphens': { says: 'hyphens of the name stand alone, between other characters', listing: true },
  'name-length': { says: 'the name has at most 64 characters', listing: true },
  'name-folder': { says: "the name is the folder's", listing: true },
  'name-boolean': { says: 'a name that older YAML readers take for true or false is quoted', listing: true },
  'description-missing': { says: 'the head has a description', listing: true },
  'description-empty': { says: 'the description is not empty', listing: true },
  'description-not-text': { says: 'the description is a text and no number or truth value', listing: true },
  'description-collection': { says: 'the description is a text and no list or map', listing: true },
  'description-length': { says: 'the description has at most 1,024 characters', listing: true },
  'license-not-text': { says: 'license is a text', listing: true },
  'compatibility-not-text': { says: 'compatibility is a text', listing: true },
  'compatibility-length': { says: 'compatibility has at most 500 characters', listing: true },
  'allowed-tools-list': { says: 'allowed-tools is a text and no list', listing: true },
  'allowed-tools-not-text': { says: 'allowed-tools is a text and no map or number', listing: true },
  'metadata-not-map': { says: 'metadata is a map', listing: true },
  'metadata-not-texts': { says: 'values of metadata are texts', listing: true },
  'misspelt-key': { says: 'no key is nearly one of the specification', listing: true },
  'unknown-key': { says: 'every key is one of the specification', listing: true },
  hooks: { says: 'the Skill brings no hooks that a harness runs as commands', listing: true },
  'bundle-files': { says: 'the bundle holds readable files and folders, and links inside itself only' },
  'bundle-collision': { says: 'no two paths differ only in case or Unicode form' },
  'broken-reference': { says: 'files that SKILL.md links to are in the bundle' },
  'license-file': { says: 'a file that the licence names is in the bundle' },
  'skill-length': { says: 'SKILL.md has at most 500 lines' },
  'runs-code': { says: 'the Skill brings no files that can be run' },
  'proprietary-license': { says: 'the licence lets others copy the Skill' },
} as const satisfies Readonly<Record<string, SkillRuleFacts>>;

interface SkillRuleFacts {
  /** What holds where the rule is kept. */
  readonly says: string;
  readonly listing?: boolean;
  readonly mendable?: boolean;
}

/** Name of a rule for Skills. */
export type SkillRule = keyof typeof SKILL_RULES;

/** A problem of a Skill with the rule that it breaks. */
export type SkillProblem = Problem & { readonly rule: SkillRule };

/** Whether breaking a rule may change how a harness lists the Skill. */
export function isAboutListing(rule: SkillRule): boolean {
  const facts: SkillRuleFacts = SKILL_RULES[rule];
  return facts.listing === true;
}

/** Whether `skill check --fix` mends what breaks a rule. */
export function isMendable(rule: SkillRule): boolean {
  const facts: SkillRuleFacts = SKILL_RULES[rule];
  return facts.mendable === true;
}
