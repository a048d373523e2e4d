import { nearest } from '../base/nearest.ts';
import type { SkillProblem, SkillRule } from '../model/skill-rule.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Locate } from './located-file.ts';
import { shown } from './schema-problems.ts';
import { HEAD_KEYS } from './skill-head.ts';

interface Head {
  readonly written: unknown;
  readonly locate: Locate;
  /** The YAML itself. */
  readonly source: string;
  /** Name of the bundle's folder. */
  readonly folder: string;
}

/** Rule, message and repair of a warning. */
type Said = readonly [rule: SkillRule, message: string, repair: string];

/** The two values without which a Skill cannot be listed, and all that is to be said of the head. */
export interface CheckedHead {
  readonly name: string;
  readonly description: string;
  readonly problems: readonly SkillProblem[];
  readonly license?: string;
}

/** Compares a head with the specification. Only what keeps a Skill from being listed is an error. */
export function checkHead(head: Head): CheckedHead {
  const { written } = head;
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    const message = `the head must be a map of keys, not ${shown(written)}`;
    const repair = 'write "name: …" and "description: …" in it';
    return {
      name: '',
      description: '',
      problems: [problem(head, [], { severity: 'error', rule: 'head-map', message, repair })],
    };
  }
  const data = written as Readonly<Record<string, unknown>>;
  const name = text(head, 'name', data.name);
  const description = text(head, 'description', data.description);
  return {
    name: name.value,
    description: description.value,
    ...(typeof data.license === 'string' ? { license: data.license } : {}),
    problems: [
      ...name.problems,
      ...(name.problems.length > 0 ? [] : nameWarnings(head, name.value)),
      ...description.problems,
      ...descriptionWarnings(head, description.value),
      ...optionalKeys(head, data),
      ...unknownKeys(head, data),
    ],
  };
}

function problem(head: Head, path: readonly string[], said: Omit<SkillProblem, 'where'>): SkillProblem {
  return { ...said, where: head.locate(path, path.length > 0 ? 'value' : 'key') };
}

function warning(head: Head, key: string, [rule, message, repair]: Said): SkillProblem {
  return problem(head, [key], { severity: 'warning', rule, message, repair });
}

function text(
  head: Head,
  key: 'name' | 'description',
  value: unknown,
): { value: string; problems: SkillProblem[] } {
  const say = (rule: SkillRule, message: string, repair: string) => ({
    value: '',
    problems: [problem(head, value === undefined ? [] : [key], { severity: 'error', rule, message, repair })],
  });
  if (value === undefined)
    return say(`${key}-missing`, `the head has no "${key}"`, `add "${key}: …" to the head`);
  if (value !== null && typeof value !== 'string') {
    const isCollection = key === 'description' && typeof value === 'object';
    const rule = isCollection ? 'description-collection' : (`${key}-not-text` as const);
    return say(rule, `"${key}" must be a text, not ${shown(value)}`, `put the value of "${key}" in quotes`);
  }
  if (value === null || value.trim() === '')
    return say(`${key}-empty`, `"${key}" is empty`, `write the ${key} of the Skill`);
  return { value: value.trim(), problems: [] };
}

/** Plain words that YAML 1.1 readers take for true and false. */
const OLD_BOOLEAN = /^(y|n|yes|no|on|off)$/i;

const RENAME = 'use lower-case letters, digits and single hyphens, as the folder does';
/** Of names that break the specification, those that Qwen Code lists all the same; the others it ignores. */
const NAME_WITHOUT_SIGNS = /^[\p{L}\p{N}_.:-]*$/u;

function characterWarnings(name: string): Said[] {
  if (/[\\/]|^\.\.?$/.test(name)) return [['name-path', `the name "${name}" reads as a path`, RENAME]];
  const found: Said[] = [];
  if (name !== name.toLowerCase())
    found.push(['name-case', `the name "${name}" is not in lower case`, RENAME]);
  if (!/^[A-Za-z0-9-]*$/.test(name)) {
    const rule = NAME_WITHOUT_SIGNS.test(name) ? 'name-characters' : 'name-signs';
    found.push([rule, `the name "${name}" has characters that are not allowed`, RENAME]);
  }
  return found;
}

function nameWarnings(head: Head, name: string): SkillProblem[] {
  const found = characterWarnings(name);
  if (/^-|-$|--/.test(name))
    found.push(['name-hyphens', `the name "${name}" has a hyphen at an end or two in a row`, RENAME]);
  const length = [...name].length;
  if (length > 64) found.push(['name-length', `the name has ${length} characters`, 'use at most 64']);
  if (name !== head.folder) {
    const message = `the name "${name}" differs from the folder's, "${head.folder}"`;
    found.push(['name-folder', message, 'give both the same name']);
  }
  if (isPlain(head, 'name', name) && OLD_BOOLEAN.test(name)) {
    const message = `older YAML readers take the name ${name} for true or false`;
    found.push(['name-boolean', message, `put it in quotes: "${name}"`]);
  }
  return found.map((said) => warning(head, 'name', said));
}

function isPlain(head: Head, key: string, value: string): boolean {
  return head.source
    .split('\n')
    .some((line) => line.startsWith(`${key}:`) && line.slice(key.length + 1).trim() === value);
}

function descriptionWarnings(head: Head, description: string): SkillProblem[] {
  const length = [...description].length;
  if (length <= 1024) return [];
  const message = `the description has ${length} characters; harnesses may cut it`;
  return [warning(head, 'description', ['description-length', message, 'use at most 1024'])];
}

function optionalKeys(head: Head, data: Readonly<Record<string, unknown>>): SkillProblem[] {
  const { license, compatibility, metadata } = data;
  const found: [key: string, said: Said][] = [];
  const tools = data['allowed-tools'];
  const textual = 'write it as one text';
  if (!isText(license)) found.push(['license', ['license-not-text', '"license" is not a text', textual]]);
  if (!isText(compatibility)) {
    found.push(['compatibility', ['compatibility-not-text', '"compatibility" is not a text', textual]]);
  }
  if (Array.isArray(tools)) {
    const repair = 'write it as one text, with spaces between';
    found.push(['allowed-tools', ['allowed-tools-list', '"allowed-tools" is a list', repair]]);
  } else if (!isText(tools)) {
    found.push(['allowed-tools', ['allowed-tools-not-text', '"allowed-tools" is not a text', textual]]);
  }
  if (typeof compatibility === 'string' && compatibility.length > 500) {
    const message = `"compatibility" has ${compatibility.length} characters`;
    found.push(['compatibility', ['compatibility-length', message, 'use at most 500']]);
  }
  found.push(...metadataWarnings(metadata));
  if (hasKey(metadata, 'hooks') || hasKey(data, 'hooks')) {
    const message = 'the Skill brings hooks: some harnesses run them as commands';
    const key = hasKey(data, 'hooks') ? 'hooks' : 'metadata';
    found.push([key, ['hooks', message, 'make sure that this is meant']]);
  }
  return found.map(([key, said]) => warning(head, key, said));
}

function metadataWarnings(metadata: unknown): [key: string, said: Said][] {
  if (metadata === undefined || isTextMap(metadata)) return [];
  const isMap = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  if (!isMap)
    return [['metadata', ['metadata-not-map', '"metadata" is not a map', 'write keys and texts in it']]];
  const message = '"metadata" holds values that are not texts';
  const repair = 'put them in quotes, without nesting';
  return [['metadata', ['metadata-not-texts', message, repair]]];
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isTextMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((inner) => typeof inner === 'string');
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

/** Each misspelt key by itself; all others of a Skill in one problem, since such Skills tend to have dozens. */
function unknownKeys(head: Head, data: Readonly<Record<string, unknown>>): SkillProblem[] {
  const unknown = Object.keys(data).filter((key) => !HEAD_KEYS.includes(key));
  const misspelt = unknown.filter((key) => nearest(key, HEAD_KEYS) !== undefined);
  const others = unknown.filter((key) => !misspelt.includes(key));
  return [...misspelt.map((key) => [key]), others].flatMap((keys): SkillProblem[] => {
    const [first] = keys;
    if (first === undefined) return [];
    const named = keys.map((key) => `"${key}"`).join(', ');
    const message = `the specification has no ${keys.length === 1 ? 'key' : 'keys'} ${named}; some harnesses refuse such a Skill`;
    const where = head.locate([first], 'key');
    const rule = misspelt.includes(first) ? 'misspelt-key' : 'unknown-key';
    return [{ severity: 'warning', rule, message, where, repair: didYouMean(first, HEAD_KEYS) }];
  });
}
