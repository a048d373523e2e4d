import { mkdirSync, writeFileSync } from 'node:fs';
import type { AttemptRecord } from '../../src/model/attempt.ts';
import type { RunEvent } from '../../src/model/event.ts';
import { attemptLayout, runLayout } from '../../src/record/layout.ts';
import { createRun } from '../../src/record/run-folder.ts';
import { syntheticRun } from '../../tests/support/synthetic-run.ts';

/**
 * Writes a run folder of about `size` trials as a run would leave it: lock, journal and one record for each attempt, in the
 * writer's own format but without forcing each to the disk. Returns how many trials there are.
 */
export async function writeRunFolder(dir: string, size: number): Promise<number> {
  const { lock, trials } = syntheticRun(size);
  const onBroken = (error: Error) => {
    throw error;
  };
  await (await createRun({ dir, lock, onBroken }))[Symbol.asyncDispose]();
  const at = lock.createdAt;
  const planned = trials.length;
  const lines: RunEvent[][] = trials.map(({ attempts }) => attempts.flatMap(eventsOf));
  lines.unshift([{ kind: 'run-started', at, run: lock.run, planned, toRun: planned, resumed: false }]);
  lines.push([{ kind: 'run-ended', at, run: lock.run, reason: 'done' }]);
  const text = lines.flat().map((event) => `${JSON.stringify(event)}\n`);
  writeFileSync(runLayout(dir).eventsFile, text.join(''));
  for (const record of trials.flatMap(({ attempts }) => attempts)) {
    const layout = attemptLayout(dir, record.trial, record.attempt);
    mkdirSync(layout.agentDir, { recursive: true });
    mkdirSync(layout.verifierDir);
    writeFileSync(layout.recordFile, `${JSON.stringify(record, null, 1)}\n`);
  }
  return planned;
}

/** What a journal holds of one attempt: its beginning and end, and a pair of lines for each of eight phases. */
function eventsOf({
  trial: { id: trial },
  attempt,
  startedAt: at,
  outcome,
  durationMs,
}: AttemptRecord): RunEvent[] {
  const phases = ['build', 'build', 'start', 'inject', 'check', 'agent', 'check', 'verify'] as const;
  return [
    { kind: 'trial-started', at, trial, attempt },
    ...phases.flatMap((phase): RunEvent[] => [
      { kind: 'phase-started', at, trial, attempt, phase },
      { kind: 'phase-ended', at, trial, attempt, phase, durationMs: 100.25 },
    ]),
    { kind: 'trial-ended', at, trial, attempt, outcome, durationMs, final: true },
  ];
}
