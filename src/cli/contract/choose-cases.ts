import { matchesGlob } from '../../base/glob.ts';
import { didYouMean } from '../../load/did-you-mean.ts';
import type { HarnessManifest } from '../../model/harness.ts';
import { InputError } from '../../model/problem.ts';
import { BUNDLE_CASE } from './check-bundle.ts';
import { type ContractCase, casesFor } from './contract-case.ts';

/** What is tried of a harness. */
export interface ChosenCases {
  readonly bundle: boolean;
  readonly trials: readonly ContractCase[];
}

/** The cases of a harness whose names fit any of the globs, all without globs. Throws InputError for a glob that fits none. */
export function chooseCases(manifest: HarnessManifest, globs: readonly string[] | undefined): ChosenCases {
  const trials = casesFor(manifest);
  const names = [...(manifest.bundle ? [BUNDLE_CASE] : []), ...trials.map(({ name }) => name)];
  const idle = globs?.find((glob) => !names.some((name) => matchesGlob(glob, name)));
  if (idle !== undefined) {
    const message = `--case ${JSON.stringify(idle)}: no such case of harness ${manifest.id}`;
    const repair = names.length === 0 ? 'leave it out: there is none' : didYouMean(idle, names);
    throw new InputError([{ severity: 'error', message, repair }]);
  }
  const isChosen = (name: string) => globs === undefined || globs.some((glob) => matchesGlob(glob, name));
  return {
    bundle: manifest.bundle && isChosen(BUNDLE_CASE),
    trials: trials.filter(({ name }) => isChosen(name)),
  };
}
