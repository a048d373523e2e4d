import type { Problem } from '../model/problem.ts';
import type { Locate } from './located-file.ts';

/** An environment table after its `${NAME}` were resolved, and what could not be. */
export interface ResolvedEnv {
  readonly env: Record<string, string>;
  readonly problems: readonly Problem[];
}

const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Resolves `${NAME}` and `${NAME:-default}` from the variables that were allowed by name, never from the host as it is:
 * a task must not draw keys out of it. A variable that needs another one stays unset, with a warning.
 */
export function resolveHostVariables(
  table: Readonly<Record<string, string>>,
  source: {
    readonly path: readonly string[];
    readonly locate: Locate;
    readonly allowEnv: Readonly<Record<string, string>>;
  },
): ResolvedEnv {
  const env: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [key, template] of Object.entries(table)) {
    const missing = new Set<string>();
    const value = template.replace(PLACEHOLDER, (_whole, name: string, otherwise: string | undefined) => {
      const known = Object.hasOwn(source.allowEnv, name) ? source.allowEnv[name] : otherwise;
      if (known === undefined) missing.add(name);
      return known ?? '';
    });
    if (missing.size === 0) env[key] = value;
    else problems.push(unresolved(key, [...missing], source));
  }
  return { env, problems };
}

function unresolved(
  key: string,
  names: readonly string[],
  source: { readonly path: readonly string[]; readonly locate: Locate },
): Problem {
  return {
    severity: 'warning',
    message: `${source.path.join('.')}.${key} asks for ${names.join(', ')} of the host, which is not allowed: ${key} stays unset`,
    where: source.locate([...source.path, key]),
    repair: `allow ${names.join(', ')} by name, if the task may have it`,
  };
}
