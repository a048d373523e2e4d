/** A simple command of a shell line. */
export interface ShellCommand {
  /** Words without their quotes; redirections to files are left out, those from files are words. */
  readonly words: readonly string[];
  /** Reads what the command before it writes. */
  readonly piped: boolean;
}

const TOKEN =
  /[ \t]*(?:(&&|\|\||;;|\|&|[;|&\n()])|((?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s;|&()"'\\]|["'])+))/gy;
const HEREDOC = /<<-?\s*(["']?)(\w+)\1([^\n]*)\n([\s\S]*?)(?:\n[ \t]*\2(?=\s|$)|$)/g;
const INTERPRETER = /\b(?:python[\d.]*|node|deno|bun|bash|sh|zsh|perl|ruby)\b[^\n;|&]*$/;
/** Longest command that is taken apart; an agent's longer ones carry data. */
const COMMAND_LIMIT = 256 * 1024;

/**
 * The simple commands of a shell text, in order: enough of a shell to know which files a command names. Text that is
 * written to a file by a here-document is left out; that which an interpreter reads is a word.
 */
export function shellCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let [words, piped]: [string[], boolean] = [[], false];
  for (const [, operator, word] of prepared(text).matchAll(TOKEN)) {
    if (word !== undefined) words.push(word);
    else {
      if (words.length > 0) commands.push({ words: withoutTargets(words), piped });
      words = [];
      piped = operator === '|' || operator === '|&';
    }
  }
  if (words.length > 0) commands.push({ words: withoutTargets(words), piped });
  return commands;
}

function prepared(text: string): string {
  return text
    .slice(0, COMMAND_LIMIT)
    .replaceAll('\\\n', ' ')
    .replace(HEREDOC, (...match: unknown[]) => hereDocument(match))
    .replace(/(?<!\d)\d{0,2}>&\d{1,2}|&>>?[ \t]*\S+/g, ' ');
}

/** `match` as String.replace gives it: groups 3 and 4 are the rest of the line and the document, then offset and text. */
function hereDocument(match: readonly unknown[]): string {
  const [, , , rest, body, offset, whole] = match;
  const before = String(whole).slice(0, Number(offset));
  const line = before.slice(Math.max(before.lastIndexOf('\n') + 1, before.length - 2000));
  const kept = INTERPRETER.test(line) ? ` '${String(body).replaceAll("'", ' ')}'` : '';
  return `${kept}${String(rest)}\n`;
}

function withoutTargets(words: readonly string[]): string[] {
  const kept: string[] = [];
  let target = false;
  for (const word of words) {
    if (target) target = false;
    else if (/^\d*>>?\|?$/.test(word)) target = true;
    else if (!/^\d*>>?\|?[^>]/.test(word)) kept.push(unquoted(word.replace(/^\d*<+/, '')));
  }
  return kept.filter((word) => word !== '');
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])/g, (_, single, double, escaped) =>
    String(single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? ''),
  );
}
