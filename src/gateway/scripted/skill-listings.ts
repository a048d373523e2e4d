/** What a listing says of a Skill. */
export interface Listing {
  /** By which the harness knows it. */
  readonly name: string;
  /** A second name, where folder and head differ. */
  readonly otherName?: string;
  readonly description: string;
  /** Container path of its SKILL.md, where the listing says it. */
  readonly path?: string;
}

/** The Skills that a text lists, in any of the forms that harnesses use. */
export function listingsIn(text: string): readonly Listing[] {
  return [
    ...elementListings(text),
    ...rootedListings(text),
    ...headedListings(text),
    ...linkedListings(text),
  ];
}

/** `<available_skills><skill><name>…</name><description>…</description><location>…</location></skill>…` */
function elementListings(text: string): readonly Listing[] {
  return blocks(text, 'available_skills')
    .flatMap((list) => blocks(list, 'skill'))
    .flatMap((skill) => {
      const name = element(skill, 'name');
      if (name === undefined || name === '') return [];
      const path = skillFile(element(skill, 'location') ?? element(skill, 'path'));
      return [{ name, description: element(skill, 'description') ?? '', ...path }];
    });
}

function blocks(text: string, tag: string): readonly string[] {
  return [...text.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, inner = '']) => inner,
  );
}

function element(text: string, tag: string): string | undefined {
  const inner = blocks(text, tag)[0];
  return inner === undefined ? undefined : unescaped(oneLine(inner));
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&',
};

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|#39|amp);/g, (_whole, name: string) => ENTITIES[name] ?? '');
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** A listing's path in any of its forms; nothing where it is no path (some harnesses say `user` or `project`). */
function skillFile(location: string | undefined): { readonly path?: string } {
  const path = location?.replace(/^file:\/\//, '');
  if (path === undefined || !path.includes('/')) return {};
  return { path: path.endsWith('.md') ? path : `${path.replace(/\/$/, '')}/SKILL.md` };
}

/** Lines `- name: description (file: r0/name/SKILL.md)` with a table of roots, `r0 = /path`. */
function rootedListings(text: string): readonly Listing[] {
  return blocks(text, 'skills_instructions').flatMap((block) => {
    const pairs = block.matchAll(/`?\b(r\d+)`?\s*(?:=|:|->|→)\s*`?(\/[^\s`]+)/g);
    const roots = new Map([...pairs].map(([, short = '', path = '']) => [short, path.replace(/\/$/, '')]));
    return [...block.matchAll(/^\s*- (\S+?): (.*?)\s*\(file: ([^)\n]+)\)\s*$/gm)].map(
      ([, name = '', description = '', file = '']) => {
        const [first = '', ...rest] = file.trim().split('/');
        const root = roots.get(first);
        return {
          name,
          description,
          ...skillFile(root === undefined ? file.trim() : [root, ...rest].join('/')),
        };
      },
    );
  });
}

/** Lines `- name: description` or `- folder (name): description` after a line that says which Skills are available. */
function headedListings(text: string): readonly Listing[] {
  if (blocks(text, 'skills_instructions').length > 0) return [];
  const lines = text.split(/\r?\n/);
  const head = lines.findIndex((line) => /\bskills are available\b|\bavailable skills\b/i.test(line));
  if (head === -1) return [];
  const start = lines.findIndex((line, at) => at > head && line.trim() !== '');
  const end = lines.findIndex((line, at) => at > start && /^\s*(?:$|[<#])/.test(line));
  if (!lines[start]?.startsWith('- ')) return [];
  const list = lines.slice(start, end === -1 ? undefined : end).join('\n');
  // A description may be of several lines.
  return list.split(/^- /m).flatMap((item) => {
    const [, name, otherName, description = ''] = /^(\S+?)(?: \(([^)]+)\))?: ([\s\S]*)$/.exec(item) ?? [];
    if (name === undefined) return [];
    return [{ name, description: oneLine(description), ...(otherName === undefined ? {} : { otherName }) }];
  });
}

/** List items that name a SKILL.md: `- [name](/path/SKILL.md): description`, `- name: description (/path/SKILL.md)`. */
function linkedListings(text: string): readonly Listing[] {
  const lines = text.matchAll(/^\s*[-*] [[`*]*([\w.-]+)[\]`*]*(.*?)(\/[^\s)`"'<>]+\/SKILL\.md)(.*)$/gm);
  return [...lines].map(([, name = '', before = '', path = '', after = '']) => {
    const description = oneLine(`${before} ${after}`.replace(/\(file:|[()[\]`*]/g, ' ')).replace(
      /^[\s:—–-]+/,
      '',
    );
    return { name, description, path };
  });
}
