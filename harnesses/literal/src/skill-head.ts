/** What the head of a SKILL.md says. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

/** Reads `name` and `description` from a SKILL.md's head; undefined where there is no head or no description in it. */
export function readSkillHead(text: string): SkillHead | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end === -1) return undefined;
  const head = lines.slice(1, end);
  const description = readValue(head, 'description');
  return description === '' ? undefined : { name: readValue(head, 'name'), description };
}

/** A top-level value: plain, quoted, block (`|`, `>`), or going on in indented lines. All are joined to one line. */
function readValue(head: readonly string[], key: string): string {
  const at = head.findIndex((line) => line.startsWith(`${key}:`));
  if (at === -1) return '';
  const after = head.slice(at + 1);
  const next = after.findIndex((line) => /^\S/.test(line));
  const first = head[at]?.slice(key.length + 1).trim() ?? '';
  const rest = (next === -1 ? after : after.slice(0, next)).map((line) => line.trim());
  const parts = /^[|>][+-]?\d?$/.test(first) ? rest : [first, ...rest];
  return unquote(parts.filter((part) => part !== '').join(' '));
}

function unquote(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted === null) return text.replace(/\s#.*$/, '');
  const inner = quoted[2] ?? '';
  return quoted[1] === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, '$1');
}
