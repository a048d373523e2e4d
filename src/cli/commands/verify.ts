import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { canonicalJson } from '../../base/canonical-json.ts';
import { COMMAND } from '../../model/command.ts';
import type { Project } from '../../model/project.ts';
import { agrees, type VerifiedAgain } from '../../model/verified-again.ts';
import { readRun } from '../../record/read-run.ts';
import { makeRunId } from '../../record/run-id.ts';
import { renderVerifiedAgain } from '../../report/verified-again-table.ts';
import { type KeptWork, verifyKept } from '../../run/verify-kept.ts';
import { imageStore, reachEngine, trialServices } from '../compose.ts';
import { type Environment, say } from '../environment.ts';
import { EXIT, interruptedCode } from '../exit-code.ts';
import { findRun } from '../find-run.ts';
import { keptWorkOf } from '../kept-work.ts';
import { loadExperiment } from '../load-experiment.ts';
import { outputFolder } from '../output-place.ts';
import { watchSignals } from '../watch-signals.ts';

/** Flags of `verify`. */
interface VerifyFlags {
  readonly runs: string;
  readonly concurrency: number;
  readonly evidence?: string;
  readonly json: boolean;
}

/**
 * `skillpair verify`: the verifier of now on the outputs that a run has kept, with no agent. Nothing in the run's folder changes. Exit code
 * 0 where every result is as recorded, 1 where one is not, 4 where one could not be verified.
 */
export async function verifyCommand(
  environment: Environment,
  [named = '', ...globs]: readonly string[],
  flags: VerifyFlags,
): Promise<number> {
  const dir = await findRun(environment, flags.runs, named);
  const record = await readRun(dir);
  if (flags.evidence !== undefined) await outputFolder(environment.cwd, '--evidence', flags.evidence);
  const { experimentPath, experiment } = record.lock;
  const project = await loadExperiment(environment, experimentPath, experiment.images.substitute);
  const { kept, impossible } = keptWorkOf(dir, { record, project, globs });
  using signals = watchSignals(environment, 'what is being verified is ended');
  const leftBehind: string[] = [];
  const again = await verifyAll(environment, flags, {
    ...{ project, kept },
    stop: signals.stop.signal,
    leftBehind: (what) => leftBehind.push(what),
  });
  const { stdout, stderr } = environment;
  for (const what of leftBehind) say(stderr, `left behind: ${what} (${COMMAND} clean removes it)`);
  const by = signals.by();
  if (by !== undefined) return interruptedCode(by);
  if (flags.json) say(stdout, canonicalJson({ verified: again.map(withAgreement), impossible }));
  else say(stdout, renderVerifiedAgain(again, impossible));
  const isWhole = impossible.length === 0 && again.every(({ now }) => now.kind === 'scored');
  if (!isWhole || leftBehind.length > 0) return EXIT.incomplete;
  return again.every(agrees) ? EXIT.ok : EXIT.gate;
}

function withAgreement(one: VerifiedAgain) {
  return { ...one, agrees: agrees(one) };
}

async function verifyAll(
  environment: Environment,
  { concurrency, evidence }: VerifyFlags,
  from: {
    readonly project: Project;
    readonly kept: readonly KeptWork[];
    readonly stop: AbortSignal;
    readonly leftBehind: (what: string) => void;
  },
): Promise<VerifiedAgain[]> {
  const { project, kept, stop, leftBehind } = from;
  if (kept.length === 0) return [];
  const { engine, host } = await reachEngine(environment);
  const images = imageStore(environment, engine, {
    ...{ project, stop },
    emit: (event) => {
      if (event.kind === 'build-started') say(environment.stderr, `${event.what} ...`);
    },
  });
  const run = makeRunId('verify', environment.now(), randomBytes(2).toString('hex'));
  const services = trialServices({ engine, host, images, project, run });
  const temporary = evidence === undefined ? await mkdtemp(join(tmpdir(), 'skillpair-verify-')) : undefined;
  try {
    const evidenceDir = temporary ?? resolve(environment.cwd, evidence ?? '');
    return await verifyKept(services, kept, { concurrency, evidenceDir, stop, leftBehind });
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}
