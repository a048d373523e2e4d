/** `LICENSE`, `LICENSE.txt`, `COPYING.md`, `NOTICE` and the like, with a folder before them; in capitals, or with an ending: prose has neither. */
const NAMED =
  /(?<![\w./:-])((?:[\w-]+\/)*(?:(?:LICENSE|LICENCE|COPYING|NOTICE|TERMS)(?:[-_.][\w.-]*\w)?|(?:licen[cs]e|copying|notice|terms)(?:[-_][\w-]+)?\.(?:txt|md|rst|html|pdf)))(?![\w/])/g;

/** Files that a Skill's `license` names for its terms, and that are not among its paths. An address, or a file above the Skill, is not looked for. */
export function missingLicenceFiles(license: string, paths: Iterable<string>): readonly string[] {
  const known = new Set(paths);
  const named = [...license.matchAll(NAMED)].map(([, name = '']) => name);
  return [...new Set(named)].filter((name) => !known.has(name));
}
