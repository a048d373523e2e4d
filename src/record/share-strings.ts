const SHORTEST = 12;
const LONGEST = 200;
const MOST = 100_000;

/**
 * Lets equal strings in many records be one string in memory (digests, image ids, names of tests): they are most of a record.
 * Changes the value in place and returns it; `seen` belongs to one reading.
 */
export function shareStrings<T extends object>(value: T, seen: Map<string, string>): T {
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'string') members[key] = shared(member, seen);
    else if (typeof member === 'object' && member !== null && !Object.isFrozen(member))
      shareStrings(member, seen);
  }
  return value;
}

function shared(text: string, seen: Map<string, string>): string {
  if (text.length < SHORTEST || text.length > LONGEST) return text;
  const known = seen.get(text);
  if (known !== undefined) return known;
  if (seen.size < MOST) seen.set(text, text);
  return text;
}
