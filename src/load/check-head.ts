import type { Problem } from '../model/problem.ts';
import { didYouMean, nearest } from './did-you-mean.ts';
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

/** The two values without which a Skill cannot be listed, and all that is to be said of the head. */
export interface CheckedHead {
  readonly name: string;
  readonly description: string;
  readonly problems: readonly Problem[];
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
      problems: [problem(head, [], { severity: 'error', message, repair })],
    };
  }
  const data = written as Readonly<Record<string, unknown>>;
  const name = text(head, 'name', data.name);
  const description = text(head, 'description', data.description);
  return {
    name: name.value,
    description: description.value,
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

function problem(head: Head, path: readonly string[], said: Omit<Problem, 'where'>): Problem {
  return { ...said, where: head.locate(path, path.length > 0 ? 'value' : 'key') };
}

function warning(
  head: Head,
  key: string,
  [message, repair]: readonly [message: string, repair: string],
): Problem {
  return problem(head, [key], { severity: 'warning', message, repair });
}

function text(head: Head, key: string, value: unknown): { value: string; problems: Problem[] } {
  const say = (message: string, repair: string) => ({
    value: '',
    problems: [problem(head, value === undefined ? [] : [key], { severity: 'error', message, repair })],
  });
  if (value === undefined) return say(`the head has no "${key}"`, `add "${key}: …" to the head`);
  if (value !== null && typeof value !== 'string') {
    return say(`"${key}" must be a text, not ${shown(value)}`, `put the value of "${key}" in quotes`);
  }
  if (value === null || value.trim() === '') return say(`"${key}" is empty`, `write the ${key} of the Skill`);
  return { value: value.trim(), problems: [] };
}

/** Plain words that YAML 1.1 readers take for true and false. */
const OLD_BOOLEAN = /^(y|n|yes|no|on|off)$/i;

function nameWarnings(head: Head, name: string): Problem[] {
  const found: [string, string][] = [];
  const rename = 'use lower-case letters, digits and single hyphens, as the folder does';
  if (/[\\/]|^\.\.?$/.test(name)) found.push([`the name "${name}" reads as a path`, rename]);
  else if (name !== name.toLowerCase()) found.push([`the name "${name}" is not in lower case`, rename]);
  else if (!/^[a-z0-9-]*$/.test(name))
    found.push([`the name "${name}" has characters that are not allowed`, rename]);
  if (/^-|-$|--/.test(name))
    found.push([`the name "${name}" has a hyphen at an end or two in a row`, rename]);
  if ([...name].length > 64) found.push([`the name has ${[...name].length} characters`, 'use at most 64']);
  if (name !== head.folder) {
    found.push([`the name "${name}" differs from the folder's, "${head.folder}"`, 'give both the same name']);
  }
  if (isPlain(head, 'name', name) && OLD_BOOLEAN.test(name)) {
    found.push([`older YAML readers take the name ${name} for true or false`, `put it in quotes: "${name}"`]);
  }
  return found.map((said) => warning(head, 'name', said));
}

function isPlain(head: Head, key: string, value: string): boolean {
  return head.source
    .split('\n')
    .some((line) => line.startsWith(`${key}:`) && line.slice(key.length + 1).trim() === value);
}

function descriptionWarnings(head: Head, description: string): Problem[] {
  const length = [...description].length;
  if (length <= 1024) return [];
  const said = [
    `the description has ${length} characters; harnesses may cut it`,
    'use at most 1024',
  ] as const;
  return [warning(head, 'description', said)];
}

function optionalKeys(head: Head, data: Readonly<Record<string, unknown>>): Problem[] {
  const { license, compatibility, metadata } = data;
  const found: [key: string, message: string, repair: string][] = [];
  const tools = data['allowed-tools'];
  const textual = 'write it as one text';
  if (!isText(license)) found.push(['license', '"license" is not a text', textual]);
  if (!isText(compatibility)) found.push(['compatibility', '"compatibility" is not a text', textual]);
  if (Array.isArray(tools))
    found.push(['allowed-tools', '"allowed-tools" is a list', 'write it as one text, with spaces between']);
  else if (!isText(tools)) found.push(['allowed-tools', '"allowed-tools" is not a text', textual]);
  if (typeof compatibility === 'string' && compatibility.length > 500) {
    found.push([
      'compatibility',
      `"compatibility" has ${compatibility.length} characters`,
      'use at most 500',
    ]);
  }
  if (metadata !== undefined && !isTextMap(metadata)) {
    found.push([
      'metadata',
      '"metadata" holds values that are not texts',
      'put them in quotes, without nesting',
    ]);
  }
  if (hasKey(metadata, 'hooks') || hasKey(data, 'hooks')) {
    const key = hasKey(data, 'hooks') ? 'hooks' : 'metadata';
    found.push([
      key,
      'the Skill brings hooks: some harnesses run them as commands',
      'make sure that this is meant',
    ]);
  }
  return found.map(([key, message, repair]) => warning(head, key, [message, repair]));
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
function unknownKeys(head: Head, data: Readonly<Record<string, unknown>>): Problem[] {
  const unknown = Object.keys(data).filter((key) => !HEAD_KEYS.includes(key));
  const misspelt = unknown.filter((key) => nearest(key, HEAD_KEYS) !== undefined);
  const others = unknown.filter((key) => !misspelt.includes(key));
  return [...misspelt.map((key) => [key]), others].flatMap((keys): Problem[] => {
    const [first] = keys;
    if (first === undefined) return [];
    const named = keys.map((key) => `"${key}"`).join(', ');
    const message = `the specification has no ${keys.length === 1 ? 'key' : 'keys'} ${named}; some harnesses refuse such a Skill`;
    const where = head.locate([first], 'key');
    return [{ severity: 'warning', message, where, repair: didYouMean(first, HEAD_KEYS) }];
  });
}
