/** A value's members; none where it is no JSON object. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A value's items; none where it is no list. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or undefined where the value is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts of what providers call content: one text, or a list of parts with a `text` each. */
export function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return items(content).flatMap((part) => {
    const text = typeof part === 'string' ? part : textOf(members(part).text);
    return text === undefined ? [] : [text];
  });
}

/** Every text within a value, in order. */
export function allTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.flatMap(allTexts) : Object.values(members(value)).flatMap(allTexts);
}
