import { nearest } from '../base/nearest.ts';
import type { HarnessManifest } from '../model/harness.ts';
import { PLACEHOLDERS, unknownPlaceholders } from '../model/placeholders.ts';
import type { Problem } from '../model/problem.ts';
import { didYouMean } from './did-you-mean.ts';
import type { LocatedFile, ValuePath } from './located-file.ts';

/**
 * Placeholders that are misspelt: they would reach the program as they stand. Errors in `command`, `env`, `versionCommand` and
 * `sessionPaths`; of settings files, whose braces
 * may be their own language's, only a warning, and only where a word is near a placeholder.
 */
export function checkPlaceholders(file: LocatedFile<HarnessManifest>): Problem[] {
  const { command, env, files, versionCommand = [], sessionPaths } = file.value;
  const texts: readonly (readonly [ValuePath, string])[] = [
    ...command.map((text, index) => [['command', index], text] as const),
    ...Object.entries(env).map(([name, text]) => [['env', name], text] as const),
    ...versionCommand.map((text, index) => [['versionCommand', index], text] as const),
    ...sessionPaths.map((text, index) => [['sessionPaths', index], text] as const),
  ];
  const problem = (severity: Problem['severity'], path: ValuePath, word: string): Problem => ({
    severity,
    message: `"{${word}}" is no placeholder: the program would get it as it stands`,
    where: file.locate(path),
    repair: repairOf(word),
  });
  return [
    ...texts.flatMap(([path, text]) => unknownPlaceholders(text).map((word) => problem('error', path, word))),
    ...versionCommand.flatMap((text, index) =>
      unfilledInVersion(text).map((word) => ({
        ...problem('error', ['versionCommand', index], word),
        message: `"{${word}}" is not known when the version is asked: only {bundle} is`,
        repair: 'name the program by its path in the bundle, such as "{bundle}/bin/agent"',
      })),
    ),
    ...files.flatMap(({ content }, index) =>
      unknownPlaceholders(content)
        .filter((word) => nearest(word, PLACEHOLDERS) !== undefined)
        .map((word) => problem('warning', ['files', index, 'content'], word)),
    ),
  ];
}

/** There is no trial then: no home, no model, nothing but the bundle. */
function unfilledInVersion(text: string): readonly string[] {
  return PLACEHOLDERS.filter((name) => name !== 'bundle' && text.includes(`{${name}}`));
}

function repairOf(word: string): string {
  const known = didYouMean(
    `{${word}}`,
    PLACEHOLDERS.map((name) => `{${name}}`),
  );
  const end = known.endsWith('?') ? '' : '.';
  return `${known}${end} Braces that are not skillpair's are let through with blanks within: "{ ${word} }"`;
}
