import { type RequestText, requestTexts } from './first-request.ts';

/** A Skill as the model was told of it. */
export interface ListedSkill {
  readonly name: string;
  /** Empty when the program left it out. */
  readonly description: string;
  /** Its SKILL.md, where the program tells. */
  readonly path?: string;
}

/** What the first model request says of Skills. */
export interface SkillListing {
  readonly listed: readonly ListedSkill[];
  /** Names of Skills whose body is in the request already, without a call: the prompt named them. */
  readonly loaded: readonly string[];
}

/** The forms in which programs list Skills, each with what opens and closes it. */
const FORMS: readonly { readonly block: RegExp; readonly read: (block: string) => ListedSkill[] }[] = [
  {
    // Claude Code: a sentence, then one line a Skill; the list ends with the first line that begins another thing.
    block:
      /The following skills are available for use with the Skill tool:\s*\n([\s\S]*?)(?=\n\s*\n(?!\s*- )|\n<|$)/g,
    read: (block) => itemLines(block).map((line) => colonItem(line)),
  },
  { block: /<skills_instructions>([\s\S]*?)<\/skills_instructions>/g, read: codexItems },
  { block: /<available_skills>([\s\S]*?)<\/available_skills>/g, read: xmlItems },
];

const LOADED = [
  // Codex: `$name` in the prompt.
  /^\s*<skill>\s*<name>([^<]+)<\/name>/,
  // Claude Code: `/name` as the prompt.
  /^\s*Base directory for this skill: \S*?([^/\s]+)\/?\s/,
];

/**
 * Reads what a first model request lists, in whichever form; undefined when the body is no request that is known. A list
 * is looked for where programs speak, and in what users say only within a program's own reminder.
 */
export function readSkillListing(body: unknown): SkillListing | undefined {
  const texts = requestTexts(body);
  if (texts === undefined) return undefined;
  return {
    listed: texts.filter(isOfProgram).flatMap(({ text }) => FORMS.flatMap((form) => blocksOf(text, form))),
    loaded: texts.flatMap(({ role, text }) => (role === 'user' ? loadedSkills(text) : [])),
  };
}

function isOfProgram({ role, text }: RequestText): boolean {
  return role === 'system' || (role === 'user' && /^\s*<system-reminder>/.test(text));
}

function blocksOf(text: string, { block, read }: (typeof FORMS)[number]): ListedSkill[] {
  return [...text.matchAll(block)].flatMap((match) => read(match[1] ?? ''));
}

/** The Skill whose body a text carries, as programs write it in front of the body. */
export function loadedSkills(text: string): string[] {
  return LOADED.flatMap((form) => form.exec(text)?.[1] ?? []);
}

function itemLines(block: string): string[] {
  return block.split('\n').flatMap((line) => /^\s*- (.*)$/.exec(line)?.[1] ?? []);
}

/** `name: description`, or the name alone; another title may stand in brackets behind the name. */
function colonItem(line: string): ListedSkill {
  const [, name = '', description = ''] = /^(\S+?)(?: \([^)]*\))?(?::(?:\s+(.*))?)?$/.exec(line) ?? [];
  return { name: name === '' ? line : name, description: description.trim() };
}

/** Lines `name: description (file: r0/name/SKILL.md)`; other lists of the block have no file. */
function codexItems(block: string): ListedSkill[] {
  return itemLines(block).flatMap((line) => {
    const [, rest, path] = /^(.*?)\s*\(file: ([^)]+)\)\s*$/.exec(line) ?? [];
    return rest === undefined || path === undefined ? [] : [{ ...colonItem(rest), path }];
  });
}

function xmlItems(block: string): ListedSkill[] {
  return [...block.matchAll(/<skill>([\s\S]*?)<\/skill>/g)].map(([, item = '']) => {
    const path = element(item, 'location');
    return {
      name: element(item, 'name') ?? '',
      description: element(item, 'description') ?? '',
      ...(path === undefined ? {} : { path }),
    };
  });
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`)
    .exec(xml)?.[1]
    ?.trim()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
