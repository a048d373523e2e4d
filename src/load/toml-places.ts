import type { Locate } from './located-file.ts';

interface Spot {
  readonly line: number;
  readonly keyColumn: number;
  readonly valueColumn: number;
}

const HEADER = /^(\s*\[{1,2}\s*)([^\]]+?)\s*\]{1,2}/;
const KEY =
  /^(\s*)((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)(\s*=\s*)/;

/**
 * Finds keys in TOML by their lines: tables, dotted keys and the first of several `[[tables]]`. A key inside an inline
 * table is found at the key that holds it. The text must be valid TOML.
 */
export function tomlLocator(text: string, file: string): Locate {
  const spots = scan(text.split(/\r?\n/));
  return (path, what = 'value') => {
    for (let length = path.length; length > 0; length--) {
      const spot = spots.get(
        path
          .slice(0, length)
          .filter((key) => typeof key !== 'number')
          .map(String)
          .join('\0'),
      );
      if (spot === undefined) continue;
      const column = what === 'key' ? spot.keyColumn : spot.valueColumn;
      return { file, line: spot.line, column };
    }
    return path.length === 0 ? { file, line: 1, column: 1 } : { file };
  };
}

function scan(lines: readonly string[]): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  let table: string[] = [];
  let open: string | undefined;
  lines.forEach((line, index) => {
    if (open !== undefined) {
      if (line.includes(open)) open = undefined;
      return;
    }
    const [, before = '', header] = HEADER.exec(line) ?? [];
    if (header !== undefined) {
      table = keyParts(header);
      const column = before.length + 1;
      const spot = { line: index + 1, keyColumn: column, valueColumn: column };
      table.forEach((_key, depth) => {
        add(spots, table.slice(0, depth + 1), spot);
      });
      return;
    }
    const [whole = '', indent = '', key] = KEY.exec(line) ?? [];
    if (key === undefined) return;
    const spot = { line: index + 1, keyColumn: indent.length + 1, valueColumn: whole.length + 1 };
    add(spots, [...table, ...keyParts(key)], spot);
    open = opened(line.slice(whole.length));
  });
  return spots;
}

/** The first of several equal paths stays: arrays of tables repeat them. */
function add(spots: Map<string, Spot>, path: readonly string[], spot: Spot): void {
  const key = path.join('\0');
  if (!spots.has(key)) spots.set(key, spot);
}

function keyParts(key: string): string[] {
  return [...key.matchAll(/"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    (part) => part[1] ?? part[2] ?? part[3] ?? '',
  );
}

/** The closing mark of a multi-line string that begins on this line and does not end on it. */
function opened(value: string): string | undefined {
  const mark = ['"""', "'''"].find((candidate) => value.trimStart().startsWith(candidate));
  if (mark === undefined) return undefined;
  return value.trimStart().slice(3).includes(mark) ? undefined : mark;
}
