import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { makeCanary } from '../../harness/canary.ts';
import type { Harness } from '../../model/harness.ts';
import type { ModelProtocol } from '../../model/model-protocol.ts';
import { type CheckRow, renderChecks } from '../../report/check-table.ts';
import { checkBundle } from '../contract/check-bundle.ts';
import { type ChosenCases, chooseCases } from '../contract/choose-cases.ts';
import { runCase } from '../contract/run-case.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT, interruptedCode } from '../exit-code.ts';
import { type Interrupts, watchInterrupts } from '../interrupts.ts';
import { namedHarness } from '../named-harness.ts';

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
  const { cwd } = environment;
  const harness = await namedHarness(resolve(cwd, flags.harnesses), id, cwd);
  const chosen = chooseCases(harness.manifest, flags.case);
  using interrupts = watchInterrupts(environment, (line) => say(environment.stderr, line));
  const dir = await mkdtemp(join(tmpdir(), 'skillpair-check-'));
  let keep = flags.keep;
  try {
    const rows = await tryAll(environment, { harness, chosen, dir, model: flags.model, interrupts });
    const by = interrupts.by();
    if (by !== undefined) return interruptedCode(by);
    const ok = rows.every((row) => row.ok);
    keep ||= !ok;
    print(environment, { harness, rows, json: flags.json });
    return ok ? EXIT.ok : EXIT.gate;
  } finally {
    await tidy(environment, { dir, keep });
  }
}

/** Nothing is kept of a check that came to no trial. */
async function tidy({ stderr }: Environment, { dir, keep }: { readonly dir: string; keep: boolean }) {
  if (keep && (await readdir(dir)).length > 0) say(stderr, `evidence of the trials: ${dir}`);
  else await rm(dir, { recursive: true, force: true });
}

/** Rows of all that was tried until a signal came. Without a bundle that works no trial is worth its time. */
async function tryAll(
  environment: Environment,
  from: {
    readonly harness: Harness;
    readonly chosen: ChosenCases;
    readonly dir: string;
    readonly model: string | undefined;
    readonly interrupts: Interrupts;
  },
): Promise<readonly CheckRow[]> {
  const { harness, chosen, dir, interrupts } = from;
  const { id, version, protocol } = harness.manifest;
  const rows: CheckRow[] = [];
  const bundle = chosen.bundle ? await checkBundle(environment, harness, interrupts.stop.signal) : undefined;
  if (bundle !== undefined) rows.push(bundle);
  if (bundle?.ok === false) return rows;
  const model = from.model ?? (protocol === undefined ? '' : MODELS[protocol]);
  for (const contractCase of chosen.trials) {
    if (interrupts.drain.aborted) break;
    say(environment.stderr, `trial ${contractCase.name} ...`);
    const canary = makeCanary(`${id} ${version} ${randomBytes(8).toString('hex')}`);
    rows.push(await runCase(environment, dir, { contractCase, harness, canary, model }));
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
