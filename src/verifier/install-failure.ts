/**
 * What a verifier's output holds when it could not set itself up, with what that says.
 * A script that fails to install pytest mostly goes on and writes reward 0, which looks like a wrong answer.
 */
const SIGNS: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/Could not resolve host|Temporary failure (in name resolution|resolving)/, 'a host name did not resolve'],
  [/Unable to locate package \S+/, 'apt found no such package'],
  [/Unable to fetch some archives|Failed to fetch https?:/, 'apt could not download'],
  [
    /No matching distribution found for \S+|Could not find a version that satisfies/,
    'pip found no such package',
  ],
  [
    /^\s*(error: |[×x] )Failed to (download|fetch)|Request failed after \d+ retries/m,
    'uv could not download',
  ],
  // Not 7 (refused) or 28 (too slow): tests get these from a service that the agent did not start.
  [/curl: \((5|6|35|60|77)\)/, 'curl could not download'],
  [
    /\b(uvx?|pytest|pip3?|curl): ((command )?not found|Permission denied)/,
    'a program of the verifier is missing or cannot be run',
  ],
  [/No module named '?(pytest|pip|uv)\b/, 'a Python package of the verifier is missing'],
  [/^INTERNALERROR>/m, 'pytest failed inside (exit status 3)'],
  [/error: unrecognized arguments:/, 'pytest was used wrongly (exit status 4): a plugin is missing'],
  [/^ERROR: (file or directory not found|not found): /m, 'pytest did not find its tests (exit status 4)'],
];

/** pytest's own last line when at least one test ran to a result. */
const TESTS_RAN = /^=*\s*(\d+ \w+, )*\d+ (passed|failed)\b.* in [\d.]+s/m;

/**
 * Tells an infrastructure failure from a wrong answer: the first sign of a failed set-up in a verifier's output, in words.
 * Undefined when a test is known to have run, or nothing in the output points to the set-up.
 *
 * A collection error (pytest's exit status 2) is deliberately no sign: tests that import the agent's work at the top of a file
 * end so for every missing or broken answer, and such a verifier's reward 0 is meant.
 */
export function findInstallFailure(outputTail: string): string | undefined {
  if (TESTS_RAN.test(outputTail)) return undefined;
  for (const [pattern, meaning] of SIGNS) {
    const found = pattern.exec(outputTail);
    if (found !== null) return `${meaning} ("${lineAt(outputTail, found.index)}")`;
  }
  return undefined;
}

function lineAt(text: string, index: number): string {
  const end = text.indexOf('\n', index);
  return text
    .slice(text.lastIndexOf('\n', index - 1) + 1, end === -1 ? undefined : end)
    .trim()
    .slice(0, 160);
}
