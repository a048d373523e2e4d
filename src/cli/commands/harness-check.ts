import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { makeCanary } from '../../harness/canary.ts';
import { didYouMean } from '../../load/did-you-mean.ts';
import { loadHarnessFolder } from '../../load/harnesses.ts';
import type { Harness } from '../../model/harness.ts';
import type { ModelProtocol } from '../../model/model-protocol.ts';
import { InputError } from '../../model/problem.ts';
import { type CheckRow, renderChecks } from '../../report/check-table.ts';
import { checkBundle } from '../contract/check-bundle.ts';
import { type ChosenCases, chooseCases } from '../contract/choose-cases.ts';
import { runCase } from '../contract/run-case.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT } from '../exit-code.ts';

/** Flags of `harness check`. */
export interface HarnessCheckFlags {
  readonly harnesses: string;
  readonly case?: readonly string[];
  readonly model?: string;
  readonly keep: boolean;
  readonly json: boolean;
}

/** Nobody answers by these names, the script does; but some programs choose their tools by the name. */
const MODELS: Readonly<Record<ModelProtocol, string>> = {
  'anthropic-messages': 'claude-opus-4-5',
  'openai-responses': 'scripted-model',
  'openai-chat': 'scripted-model',
  gemini: 'gemini-2.5-pro',
};

/**
 * `skillpair harness check`: builds the bundle, reads the version back, and tries what a harness is held to, each case in a trial of its own
 * with a scripted model. Exit code 0 when all cases hold, else 1.
 */
export async function harnessCheckCommand(
  environment: Environment,
  [id = '']: readonly string[],
  flags: HarnessCheckFlags,
): Promise<number> {
  const harness = await namedHarness(resolve(environment.cwd, flags.harnesses), id);
  const chosen = chooseCases(harness.manifest, flags.case);
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-check-'));
  let keep = flags.keep;
  try {
    const checked = await tryAll(environment, { harness, chosen, dir, model: flags.model });
    if (typeof checked === 'number') return checked;
    const ok = checked.every((row) => row.ok);
    keep ||= !ok;
    print(environment, { harness, rows: checked, json: flags.json });
    return ok ? EXIT.ok : EXIT.gate;
  } finally {
    if (keep) say(environment.stderr, `evidence of the trials: ${dir}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

async function namedHarness(dir: string, id: string): Promise<Harness> {
  const { harnesses, problems } = await loadHarnessFolder(dir);
  const harness = harnesses.get(id);
  if (harness !== undefined) return harness;
  const own = problems.filter(({ where }) => where?.file.startsWith(join(dir, id, '/')));
  if (own.length > 0) throw new InputError(own);
  const repair = didYouMean(id, [...harnesses.keys()]);
  throw new InputError([{ severity: 'error', message: `there is no harness "${id}" in ${dir}`, repair }]);
}

/** Rows of all that was tried, or the exit code of an interrupted run. Without a bundle that works no trial is worth its time. */
async function tryAll(
  environment: Environment,
  from: {
    readonly harness: Harness;
    readonly chosen: ChosenCases;
    readonly dir: string;
    readonly model: string | undefined;
  },
): Promise<readonly CheckRow[] | number> {
  const { harness, chosen, dir } = from;
  const { id, version, protocol } = harness.manifest;
  const rows: CheckRow[] = [];
  const bundle = chosen.bundle ? await checkBundle(environment, harness) : undefined;
  if (bundle !== undefined) rows.push(bundle);
  if (bundle?.ok === false) return rows;
  const model = from.model ?? (protocol === undefined ? '' : MODELS[protocol]);
  for (const contractCase of chosen.trials) {
    say(environment.stderr, `trial ${contractCase.name} ...`);
    const canary = makeCanary(`${id} ${version} ${randomBytes(8).toString('hex')}`);
    const result = await runCase(environment, dir, { contractCase, harness, canary, model });
    if ('interruptedBy' in result) return result.interruptedBy;
    rows.push(result.row);
  }
  return rows;
}

function print(
  { stdout }: Environment,
  { harness, rows, json }: { readonly harness: Harness; readonly rows: readonly CheckRow[]; json: boolean },
): void {
  const { id, version } = harness.manifest;
  const ok = rows.every((row) => row.ok);
  if (json) say(stdout, canonicalJson({ schemaVersion: 1, harness: { id, version }, ok, cases: rows }));
  else if (rows.length === 0)
    say(stdout, `harness ${id} has no bundle and stands outside comparisons: nothing to check`);
  else say(stdout, renderChecks(rows));
}
