import type { Dockerfile } from '../../image/dockerfile.ts';
import type { ContentFile } from '../../model/task-content.ts';

/** One shell command that stands in a Dockerfile or a script. */
export interface ShellCommand {
  readonly file: string;
  /** Where it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The commands of a script: continued lines joined, comments left out, cut at `;`, `&&`, `||`; pipes stay whole. */
export function scriptCommands(file: ContentFile): ShellCommand[] {
  const found: ShellCommand[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of (file.text ?? '').split(/\r?\n/).entries()) {
    if (/^\s*#/.test(raw)) continue;
    const text = raw.replace(/\s#.*$/, '');
    open = open === undefined ? { line: index + 1, text } : { ...open, text: `${open.text} ${text.trim()}` };
    if (/\\\s*$/.test(open.text)) {
      open = { ...open, text: open.text.replace(/\\\s*$/, '') };
      continue;
    }
    found.push(...cut(file.hostPath, open));
    open = undefined;
  }
  if (open !== undefined) found.push(...cut(file.hostPath, open));
  return found;
}

/** The commands that a Dockerfile's RUN instructions give to a shell. */
export function dockerfileCommands(dockerfile: Dockerfile): ShellCommand[] {
  return dockerfile.stages
    .flatMap(({ instructions }) => instructions)
    .filter(({ keyword }) => keyword === 'RUN')
    .flatMap(({ argumentText, line }) => cut(dockerfile.file, { line, text: argumentText }));
}

function cut(file: string, { line, text }: { line: number; text: string }): ShellCommand[] {
  return text
    .split(/;|&&|\|\||\bthen\b|\bdo\b/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ file, line, text: part }));
}

/** What a command installs without a fixed version; of which tool. */
export interface Unpinned {
  readonly tool: 'pip' | 'npm' | 'apt';
  readonly packages: readonly string[];
}

const TOOLS: readonly (readonly [Unpinned['tool'], RegExp])[] = [
  ['pip', /^(?:sudo\s+)?(?:\S*python[\d.]*\s+-m\s+pip|\S*pip[\d.]*|uv\s+pip)\s+(?:-\S+\s+)*install\s+(.*)$/],
  ['pip', /^uv\s+add\s+(.*)$/],
  ['npm', /^(?:sudo\s+)?npm\s+(?:-\S+\s+)*(?:install|i|add)\s+(.*)$/],
  ['apt', /^(?:sudo\s+)?(?:\w+=\S+\s+)*apt(?:-get)?\s+(?:-\S+\s+)*install\s+(.*)$/],
];
/** Options whose next word is their value. */
const WITH_VALUE =
  /^(?:-r|--requirement|-c|--constraint|-i|--index-url|--extra-index-url|-f|--find-links|-t|--target|--python|-p|--prefix|--root|--registry|--trusted-host|--timeout|--retries|-o|--group|--default-timeout)$/;

/** Names of the packages that a command installs in whatever version there is that day. */
export function unpinnedPackages(command: string): Unpinned | undefined {
  for (const [tool, pattern] of TOOLS) {
    const rest = pattern.exec(command)?.[1];
    if (rest === undefined) continue;
    const packages = packagesOf(rest).filter((name) => !isPinned(tool, name));
    return packages.length === 0 ? undefined : { tool, packages };
  }
  const uvx = /^(?:uvx|uv\s+(?:tool\s+)?run)\s+(.*)$/.exec(command)?.[1];
  if (uvx === undefined) return undefined;
  const packages = withPackages(uvx).filter((name) => !isPinned('pip', name));
  return packages.length === 0 ? undefined : { tool: 'pip', packages };
}

function packagesOf(rest: string): string[] {
  const words = wordsOf(rest.replace(/\s[12]?>.*$/, '').replace(/\s\|.*$/, ''));
  return words.filter((word, at) => {
    if (word.startsWith('-') || WITH_VALUE.test(words[at - 1] ?? '')) return false;
    // Paths, wheels, variables and addresses are no names that a registry would resolve.
    return (
      /^@?[A-Za-z]/.test(word) && !/[$`]|:\/\/|\.(?:whl|txt|tgz|gz|deb)$/.test(word) && !word.startsWith('./')
    );
  });
}

function withPackages(rest: string): string[] {
  const words = wordsOf(rest);
  return words.flatMap((word, at) => {
    const joined = /^--with=(.*)$/.exec(word)?.[1];
    if (joined !== undefined) return [joined];
    return /^(?:--with|-w)$/.test(word) && words[at + 1] !== undefined ? [words[at + 1] ?? ''] : [];
  });
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));
}

function isPinned(tool: Unpinned['tool'], name: string): boolean {
  // The installers themselves come with the image, and are brought up to date as a habit.
  if (tool === 'pip' && /^(?:pip|setuptools|wheel)(?:$|[<>~!])/.test(name)) return true;
  if (/^git\+/.test(name)) return /@/.test(name);
  if (tool === 'pip') return /===?|\s@\s|@(?:https?|git|file)/.test(name);
  if (tool === 'npm') return /.@(?:\d+\.\d+\.\d+|file:|https?:)/.test(name);
  return name.includes('=');
}

/** The address of an installer that a command pipes into a shell; undefined for any other command, or a versioned address. */
export function pipedInstaller(command: string): string | undefined {
  if (!/\|\s*(?:sudo\s+)?(?:-\S+\s+)?(?:\w+=\S+\s+)*(?:\/\S+\/)?(?:ba|z)?sh\b/.test(command))
    return undefined;
  const address = /(?:curl|wget)\b.*?(https?:\/\/[^\s"'|]+)/.exec(command)?.[1];
  return address === undefined || /\/v?\d+\.\d+(?:\.\d+)?\//.test(address) ? undefined : address;
}
