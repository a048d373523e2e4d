/** A relative link of a document that leads nowhere. */
export interface BrokenLink {
  readonly line: number;
  readonly target: string;
  readonly reason: string;
}

/** Where documents can be asked for: whether a path exists, and the text of a document. Paths are relative to the project. */
export interface DocumentTree {
  readonly exists: (path: string) => boolean;
  readonly read: (path: string) => string;
}

const LINK = /!?\[[^\]]*\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)/g;

/** Links of one document that lead nowhere: no such file, or no such heading in it. Links with a scheme are not asked for. */
export function brokenLinks(path: string, tree: DocumentTree): readonly BrokenLink[] {
  return proseLines(tree.read(path)).flatMap(({ line, text }) =>
    [...text.matchAll(LINK)].flatMap(([, target = '']) => {
      const reason = fault(path, target, tree);
      return reason === undefined ? [] : [{ line, target, reason }];
    }),
  );
}

function fault(path: string, target: string, tree: DocumentTree): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [file = '', heading] = target.split('#');
  const linked = file === '' ? path : resolve(path, decodeURI(file));
  if (!tree.exists(linked)) return `there is no ${linked}`;
  if (heading === undefined || !linked.endsWith('.md')) return undefined;
  return anchors(tree.read(linked)).has(heading) ? undefined : `${linked} has no heading #${heading}`;
}

function resolve(from: string, link: string): string {
  const start = link.startsWith('/') ? [] : from.split('/').slice(0, -1);
  const parts = [...start];
  for (const part of link.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Lines outside fenced code, with inline code blanked out. */
function proseLines(text: string): readonly { readonly line: number; readonly text: string }[] {
  let fenced = false;
  return text.split('\n').flatMap((content, index) => {
    const isFence = /^\s*(```|~~~)/.test(content);
    if (isFence) fenced = !fenced;
    if (isFence || fenced) return [];
    return [{ line: index + 1, text: content.replace(/`[^`]*`(?!\])/g, '') }];
  });
}

/** The ids that hosts of repositories give to headings. */
function anchors(text: string): ReadonlySet<string> {
  const headings = text.split('\n').flatMap((line) => /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1] ?? []);
  return new Set(headings.map((heading) => slug(heading)));
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
