import { posix } from 'node:path';
import type { PathChange } from '../engine/engine.ts';

/** What is done to a snapshot of the agent's file system before the verifier may run in it. */
export interface Restoration {
  /** Paths of the image, folders with all that is in them too, that the agent changed or deleted and that decide what "python" or "bash" means: put back. */
  readonly restore: readonly string[];
  /** Start-up files and shadowing programs that the agent added: emptied. */
  readonly neutralise: readonly string[];
  /** Folders that belong to the verifier alone: emptied whole. */
  readonly empty: readonly string[];
}

const VERIFIER_FOLDERS = ['/tests', '/logs/verifier', '/solution'];
const BIN = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/;
const LOADER =
  /^\/(usr\/)?lib(32|64|x32)?\/(?:.*\/)?(ld-linux[^/]*|libc\.so[^/]*|libpython3[^/]*)$|^\/etc\/ld\.so\.(preload|conf)$/;
/** Folders of all these: a link in the place of one stands in for everything that was in it. */
const PROGRAM_FOLDER =
  /^\/(usr(\/local)?|(usr\/)?(local\/)?(s?bin|lib(32|64|x32)?(\/[^/]+-linux-[^/]+)?)|(usr\/(local\/)?|opt\/[^/]+\/)?lib\/python3[^/]*)$/;
const PYTHON_FILE = /^\/(usr\/(local\/)?|opt\/[^/]+\/)?lib\/python3[^/]*\//;
/** Read by shells, package clients or pytest before the verifier's own first line. */
const START_UP = [
  /^\/etc\/(profile|bash\.bashrc|environment|pip\.conf|pythonstart)$/,
  /^\/etc\/(profile\.d|uv)\/[^/]+$/,
  /\/\.(bashrc|profile|bash_profile|bash_login|bash_env|curlrc|wgetrc|pypirc|netrc|pydistutils\.cfg)$/,
  /\/\.(config\/)?(pip|uv)\/[^/]+\.(conf|toml)$/,
  /^\/(conftest\.py|\.?pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg|setup\.py)$/,
];
const PYTHON_START_UP = /\/(sitecustomize|usercustomize)(\.py|\/__init__\.py|\.[^/]*\.so)$/;
/** Names that a verifier calls; a new file of such a name in an early PATH folder would stand in for the real one. */
const CALLED =
  /^(python[\d.]*|pip[\d.]*|pytest|py\.test|uv|uvx|bash|sh|dash|env|cat|rm|mkdir|cp|mv|ls|tee|echo|grep|sed|awk|curl|wget|apt|apt-get|dpkg|node|npm|npx)$/;
const EARLY_PATH = /^\/(usr\/local\/s?bin|(root|home\/[^/]+)\/(\.local\/)?bin)\/[^/]+$/;

/** Decides, from the engine's own list of changes, what must be put right in a snapshot. Pure. */
export function planRestoration(changes: readonly PathChange[]): Restoration {
  const inVerifierFolder = (path: string) =>
    VERIFIER_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const outside = changes.filter(({ path }) => !inVerifierFolder(path));
  const parents = new Set(
    outside.filter(({ kind }) => kind !== 'deleted').map(({ path }) => posix.dirname(path)),
  );
  const touched = (kind: PathChange['kind'][], test: (path: string) => boolean) =>
    outside.filter((change) => kind.includes(change.kind) && test(change.path)).map((change) => change.path);
  return {
    restore: touched(['modified', 'deleted'], (path) => isProtected(path) && !parents.has(path)).sort(),
    neutralise: [...touched(['added'], isPlanted), ...orphanBytecode(outside)].sort(),
    empty: VERIFIER_FOLDERS.filter((folder) =>
      changes.some(({ path }) => path === folder || path.startsWith(`${folder}/`)),
    ),
  };
}

/** Compiled modules that the agent added for sources it did not add: Python would trust them over the image's own source. */
function orphanBytecode(changes: readonly PathChange[]): string[] {
  const added = new Set(changes.filter(({ kind }) => kind === 'added').map(({ path }) => path));
  return [...added].filter((path) => {
    const source = /^(.*)\/__pycache__\/([^/]+?)\.[^/]*\.pyc$/.exec(path);
    return source !== null && PYTHON_FILE.test(path) && !added.has(`${source[1]}/${source[2]}.py`);
  });
}

function isProtected(path: string): boolean {
  return [BIN, LOADER, PYTHON_FILE, PROGRAM_FOLDER].some((pattern) => pattern.test(path)) || isStartUp(path);
}

function isPlanted(path: string): boolean {
  return isStartUp(path) || LOADER.test(path) || (EARLY_PATH.test(path) && CALLED.test(posix.basename(path)));
}

function isStartUp(path: string): boolean {
  return PYTHON_START_UP.test(path) || START_UP.some((pattern) => pattern.test(path));
}
