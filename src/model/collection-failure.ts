/** A file of tests that could not be collected, as a verifier without a verdict tells of it. */
export interface CollectionFailure {
  /** The file, relative to the tests' folder. */
  readonly file: string;
  /** The exception and its place: `SyntaxError: '(' was never closed (test_a.py, line 12)`. */
  readonly what: string;
}

const BETWEEN = ' could not be collected (';
const CLOSE = ')';
const NO_MODULE = /^ModuleNotFoundError: No module named '([^']+)'/;
/** What asks for something that the agent may not have left. */
const ABSENT = /^(?:ImportError|FileNotFoundError)\b/;
/** Places of other files than the tests' own are no help without their folder. */
const PLACE = / \(([^()]+), line (\d+)\)$/;

/** The sentence of a verdict that could not be; {@link collectionFailureIn} reads it back. */
export function collectionFailureText(failure: CollectionFailure): string {
  const advice = collectionAdvice(failure);
  return `${failure.file}${BETWEEN}${failure.what}${CLOSE}${advice === undefined ? '' : `: ${advice}`}`;
}

/** What such a sentence told of; undefined for any other text. */
export function collectionFailureIn(detail: string): CollectionFailure | undefined {
  const at = detail.indexOf(BETWEEN);
  if (at <= 0) return undefined;
  const file = detail.slice(0, at);
  const rest = detail.slice(at + BETWEEN.length);
  // The advice is known once it is known what it is about.
  for (let end = rest.indexOf(CLOSE); end >= 0; end = rest.indexOf(CLOSE, end + 1)) {
    const failure = { file, what: rest.slice(0, end) };
    if (collectionFailureText(failure) === detail) return failure;
  }
  return undefined;
}

/** What to do about it, where the exception alone says that. */
export function collectionAdvice({ what }: CollectionFailure): string | undefined {
  const module = NO_MODULE.exec(what)?.[1];
  if (module !== undefined)
    return `the verifier has no module "${module}": install it in the task's Dockerfile; if it is the agent's work, import it inside a test, so that a missing answer fails it`;
  if (ABSENT.test(what))
    return "import or open the agent's work inside a test, so that a missing answer fails it";
  return undefined;
}

/** The line of the test file itself that the exception names; undefined where it names another file, or none. */
export function collectionLine({ file, what }: CollectionFailure): number | undefined {
  const [, name, line] = PLACE.exec(what) ?? [];
  return name !== undefined && file.split('/').at(-1) === name ? Number(line) : undefined;
}
