/** Folders under which programs look for Skills, by their last name. */
const ROOTS: readonly string[] = ['skills', 'skill', 'microagents'];

/** A Skill's folder or something in it, as a path names it. */
export interface SkillPlace {
  readonly skill: string;
  /** Something in the folder, not the folder itself. */
  readonly inside: boolean;
}

/**
 * The Skills in whose folders a path lies. Known ones are found below any folder called `skills`, or by their SKILL.md;
 * unknown ones only where programs look for Skills, so that a task's own `skills` folder is none. `*` and `?` match.
 */
export function skillPlaces(path: string, known: readonly string[]): SkillPlace[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const found = parts.flatMap((part, index) =>
    isSkillFolder(parts, index) ? placesAt(part, known, index < parts.length - 1) : [],
  );
  return found.length > 0 ? found : unknownPlaces(path);
}

/** More in one name make matching dear, and nobody writes them. */
const MAX_STARS = 4;

function isSkillFolder(parts: readonly string[], index: number): boolean {
  const below = parts.slice(0, index).some((part) => ROOTS.includes(part));
  return below || parts[index + 1] === 'SKILL.md';
}

function placesAt(part: string, known: readonly string[], inside: boolean): SkillPlace[] {
  if (!/[*?]/.test(part)) return known.includes(part) ? [{ skill: part, inside }] : [];
  if (part.split('*').length > MAX_STARS + 1) return [];
  const pattern = globPattern(part);
  return known.filter((name) => pattern.test(name)).map((skill) => ({ skill, inside }));
}

function globPattern(part: string): RegExp {
  const escaped = part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

const HIDDEN_ROOT =
  /(?:^|\/)\.(?:claude|agents|codex|gemini|qwen|opencode|openhands)\/(?:skills?|microagents)\/(?:\.system\/)?([^/*?]+)(\/.+)?$/;

function unknownPlaces(path: string): SkillPlace[] {
  const match = HIDDEN_ROOT.exec(path);
  return match?.[1] === undefined ? [] : [{ skill: match[1], inside: match[2] !== undefined }];
}
