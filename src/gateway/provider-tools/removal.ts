import { asObject } from '../usage/answer-reader.ts';

/** A body without what has to go; tells each thing that went. Returns the same parts where nothing did. */
export type Removal = (
  body: Readonly<Record<string, unknown>>,
  tell: (name: string) => void,
) => Readonly<Record<string, unknown>>;

/** A list without the entries that are named; undefined where nothing is left of it. */
export function filtered(
  list: unknown,
  nameOf: (entry: unknown) => string | undefined,
  tell: (name: string) => void,
): unknown {
  if (!Array.isArray(list)) return list;
  const kept = list.filter((entry) => {
    const name = nameOf(entry);
    if (name !== undefined) tell(name);
    return name === undefined;
  });
  if (kept.length === list.length) return list;
  return kept.length === 0 ? undefined : kept;
}

/** An object with another value for one member; without it where the value is undefined. */
export function withMember(
  object: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (value === object[name]) return object;
  if (value !== undefined) return { ...object, [name]: value };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** Replaces, at any depth, the objects for which there is a replacement. The same value where there is none. */
export function replaced(
  value: unknown,
  replacement: (object: Readonly<Record<string, unknown>>) => unknown,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, replacement));
    return items.some((item, place) => item !== value[place]) ? items : value;
  }
  const object = asObject(value);
  if (object === undefined) return value;
  const instead = replacement(object);
  if (instead !== undefined) return instead;
  let copy = object;
  for (const [name, inner] of Object.entries(object))
    copy = withMember(copy, name, replaced(inner, replacement));
  return copy;
}

/** What the model reads in the place of a document that the provider was to fetch. */
export function withheld(what: string): string {
  return `[${what} by URL was taken out: this task's network does not reach it]`;
}

/** Whether a text is an address that the provider would fetch, and no data of the request's own. */
export function isFetched(value: unknown): boolean {
  return typeof value === 'string' && /^(https?|gs|ftp):/i.test(value.trim());
}
