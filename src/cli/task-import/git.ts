import { execa, type Options } from 'execa';
import { InputError } from '../../model/problem.ts';
import { withoutPassword } from './source-name.ts';

/** How git is started. */
export interface GitCall {
  /** The repository that the call is about; it is one of ours, so that nobody else's settings are read. */
  readonly gitDir?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Objects are looked for here too. */
  readonly alternates?: string;
  readonly signal: AbortSignal;
}

/** No hook, no other program in the place of a transport, no work beside what was asked. */
const SAFE = [
  ...['core.hooksPath=/dev/null', 'protocol.ext.allow=never', 'gc.auto=0', 'maintenance.auto=false'],
  ...['fetch.recurseSubmodules=false', 'submodule.recurse=false', 'core.quotePath=false'],
].flatMap((setting) => ['-c', setting]);

/** What a hook or a shell may have set of its own repository. */
const OWN_VARIABLES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS|QUARANTINE_PATH)$/;

/** The options of execa for one call. Git asks nobody for anything, and fetches nothing that was not asked for. */
export function gitOptions({ env, alternates, signal }: GitCall) {
  const kept = Object.entries(env).filter(([name]) => !OWN_VARIABLES.test(name));
  return {
    env: {
      ...Object.fromEntries(kept),
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      LC_ALL: 'C',
      ...(alternates === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(alternates) }),
    },
    extendEnv: false,
    cancelSignal: signal,
    stripFinalNewline: false,
  } satisfies Options;
}

/** The words of a call, from `git` on. */
export function gitWords({ gitDir }: Pick<GitCall, 'gitDir'>, words: readonly string[]): string[] {
  return [...SAFE, ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]), ...words];
}

/** What git printed. Throws InputError with git's own words, passwords taken out; rejects with the signal's reason where that was given. */
export async function git(call: GitCall, words: readonly string[], doing: string): Promise<Buffer> {
  try {
    const { stdout } = await execa('git', gitWords(call, words), { ...gitOptions(call), encoding: 'buffer' });
    return Buffer.from(stdout);
  } catch (error) {
    call.signal.throwIfAborted();
    throw gitFailure(error, doing);
  }
}

/** A failed call in words. */
export function gitFailure(error: unknown, doing: string): InputError {
  const { code, stderr } = error as { code?: string; stderr?: Uint8Array | string };
  if (code === 'ENOENT') {
    const repair = 'install git, or import from a folder';
    return new InputError([{ severity: 'error', message: 'git is not installed', repair }], { cause: error });
  }
  const said = (typeof stderr === 'string' ? stderr : Buffer.from(stderr ?? []).toString())
    .split('\n')
    .map((line) => withoutPasswords(line.trim()))
    .filter((line) => line !== '')
    .slice(0, 4)
    .join('; ');
  const repair = 'correct repository, ref or folder: <repository>#<ref>:<folder>';
  const message = `git could not ${doing}: ${said === '' ? (error as Error).message : said}`;
  return new InputError([{ severity: 'error', message, repair }], { cause: error });
}

function withoutPasswords(line: string): string {
  return line.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi, (address) => withoutPassword(address));
}
