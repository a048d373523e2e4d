import { posix } from 'node:path';
import type { ContextName } from './context-entries.ts';
import { literal } from './regexp-literal.ts';

/** The paths of a build context, for finding what a COPY source matches. */
export interface ContextPaths {
  readonly kinds: ReadonlyMap<string, ContextName['kind']>;
  readonly links: ReadonlyMap<string, string>;
}

/** Indexes the entries; folders that only their content shows are added. */
export function contextPaths(entries: readonly ContextName[]): ContextPaths {
  const kinds = new Map<string, ContextName['kind']>([['.', 'folder']]);
  const links = new Map<string, string>();
  for (const { path, kind, target } of entries) {
    for (let up = posix.dirname(path); up !== '.'; up = posix.dirname(up))
      if (!kinds.has(up)) kinds.set(up, 'folder');
    kinds.set(path, kind);
    if (target !== undefined) links.set(path, target);
  }
  return { kinds, links };
}

/** True for a source that does not come from the context. */
export function isRemoteSource(source: string): boolean {
  return /^(https?|git|ssh):\/\//i.test(source) || source.startsWith('git@');
}

/** Context paths that a COPY or ADD source matches, as the builder matches them; `.` is the context itself. */
export function matchSource(source: string, context: ContextPaths): string[] {
  const pattern = posix.normalize(source.replace(/^\/+/, '') || '.').replace(/(?<=.)\/+$/, '');
  if (!/[*?[]/.test(pattern)) {
    const path = pattern.replace(/\\(.)/g, '$1');
    return resolveInContext(path, context) === undefined ? [] : [path];
  }
  const expression = globExpression(pattern);
  return [...context.kinds.keys()].filter((path) => path !== '.' && expression.test(path)).sort();
}

/** Where a context path leads once the context's own links are followed; undefined where nothing is. */
export function resolveInContext(path: string, context: ContextPaths, hops = 0): string | undefined {
  if (hops > 40) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  let at = '.';
  for (const [index, part] of parts.entries()) {
    // Above its root a context has only itself.
    at = posix.join('/', at, part).slice(1) || '.';
    const target = context.links.get(at);
    if (target !== undefined) {
      const base = target.startsWith('/') ? '' : posix.dirname(at);
      const rest = parts.slice(index + 1).join('/');
      return resolveInContext(posix.join('/', base, target, rest).slice(1), context, hops + 1);
    }
  }
  return context.kinds.has(at) ? at : undefined;
}

/** A pattern of `*`, `?` and `[...]`, none of which crosses a `/`. */
function globExpression(pattern: string): RegExp {
  const source = pattern.replace(
    /\[(\^?)((?:\\.|[^\]\\])+)\]|\\(.)|[^\\]/gs,
    (token: string, not: string | undefined, set: string | undefined, escaped: string | undefined) => {
      if (set !== undefined) return `[${not}${set.replace(/[[&|~]/g, '\\$&')}]`;
      if (escaped !== undefined) return literal(escaped);
      if (token === '*') return '[^/]*';
      return token === '?' ? '[^/]' : literal(token);
    },
  );
  return new RegExp(`^${source}$`, 's');
}
