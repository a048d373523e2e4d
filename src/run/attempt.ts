import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { digestBytes, digestValue } from '../base/digest.ts';
import type { EngineError } from '../engine/engine.ts';
import type { AttemptRecord, Notice } from '../model/attempt.ts';
import type { Emit } from '../model/event.ts';
import type { Outcome } from '../model/outcome.ts';
import { PhaseClock } from './phase-clock.ts';
import { runTrial } from './run-trial.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';
import { noFacts } from './trial-facts.ts';
import { engineErrorIn, unscoredFrom } from './unscored.ts';

/**
 * One attempt, from nothing to its record. Never rejects for what happens inside: the only catch of a trial is here,
 * and whatever was learnt until then is in the record.
 */
export async function runAttempt(
  services: TrialServices,
  input: Omit<AttemptInput, 'notice'>,
  report: {
    readonly emit: Emit;
    readonly now: () => Date;
    /** Told of the engine call that ended it, if one did. */
    readonly engineFailed: (error: EngineError) => void;
  },
): Promise<AttemptRecord> {
  const { trial, attempt } = input;
  const { emit, now } = report;
  const startedAt = now().toISOString();
  const from = performance.now();
  const notices: Notice[] = [];
  const about = () => ({ at: now().toISOString(), trial: trial.id, attempt });
  emit({ kind: 'trial-started', ...about() });
  const clock = new PhaseClock({
    started: (phase) => emit({ kind: 'phase-started', ...about(), phase }),
    ended: (phase, durationMs) => emit({ kind: 'phase-ended', ...about(), phase, durationMs }),
  });
  const facts = noFacts();
  const notice = (what: Notice) => notices.push(what);
  let outcome: Outcome;
  try {
    const verdict = await runTrial(services, { ...input, notice }, { clock, facts });
    outcome = { kind: 'scored', verdict };
  } catch (error) {
    outcome = unscoredFrom(error, clock.current, input.stop.aborted);
    const failed = engineErrorIn(error);
    if (failed !== undefined) report.engineFailed(failed);
  }
  return {
    schemaVersion: 1,
    run: services.run,
    trial,
    attempt,
    startedAt,
    endedAt: now().toISOString(),
    durationMs: performance.now() - from,
    phases: clock.phases,
    outcome,
    ...facts,
    digests: digestsOf(input),
    notices,
    evidence: await listFiles(input.evidenceDir),
  };
}

function digestsOf({ task, trial, harness }: Omit<AttemptInput, 'notice'>): AttemptRecord['digests'] {
  const bundles =
    trial.condition === 'no-skills' ? [] : task.skills.map(({ name, digest }) => ({ name, digest }));
  return {
    task: task.digest,
    instruction: digestBytes(task.instruction),
    bundle: digestValue(bundles),
    harness: harness.digest,
  };
}

async function listFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort();
}
