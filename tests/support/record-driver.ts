/**
 * A runner without containers, as a process that can be killed: carries out what is left of a run whose outcomes are known beforehand, through
 * the same record and plan code as the real one. Its one argument is a JSON {@link DriverOrder}.
 */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from '../../src/model/trial.ts';
import { resume, type TrialToRun } from '../../src/plan/resume.ts';
import { runLayout } from '../../src/record/layout.ts';
import { readRun } from '../../src/record/read-run.ts';
import { createRun, openRun, type RunFolder } from '../../src/record/run-folder.ts';
import { crashAt } from './crash-point.ts';
import { knownLock, knownOutcome } from './known-run.ts';
import { anAttempt } from './record-values.ts';

/** What the driver is to do. */
export interface DriverOrder {
  readonly dir: string;
  /** Begun and ended attempts are told here, a line each; never touched by the crash point. */
  readonly log: string;
  readonly concurrency: number;
  readonly retryUnscored: boolean;
  /** Only so many trials are begun, then the run is interrupted. */
  readonly most?: number;
  readonly crashAt?: number;
  /** Opens the folder, says `open` and waits for the end of its input. */
  readonly hold?: boolean;
}

const AT = '2026-03-01T10:00:00.000Z';

async function main(order: DriverOrder): Promise<void> {
  if (order.crashAt !== undefined) await crashAt(order.crashAt);
  const onBroken = (error: Error) => {
    throw error;
  };
  const fresh = !existsSync(runLayout(order.dir).runFile);
  await using folder = fresh
    ? await createRun({ dir: order.dir, lock: knownLock(), onBroken })
    : await openRun({ dir: order.dir, onBroken });
  if (order.hold === true) {
    process.stdout.write('open\n');
    for await (const _ of process.stdin);
    return;
  }
  const { trials } = await readRun(order.dir);
  const left = resume(folder.lock.plan, trials, { retryUnscored: order.retryUnscored, maxAttempts: 2 });
  const { run, plan } = folder.lock;
  const planned = plan.trials.length;
  folder.journal.append({ kind: 'run-started', at: AT, run, planned, toRun: left.length, resumed: !fresh });
  const queue = left.slice(0, order.most ?? left.length);
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await goThrough(folder, next, order);
  };
  await Promise.all(Array.from({ length: order.concurrency }, work));
  const reason = left.length > (order.most ?? left.length) ? 'interrupted' : 'done';
  folder.journal.append({ kind: 'run-ended', at: AT, run, reason });
  await folder.journal.flush();
}

async function goThrough(folder: RunFolder, toRun: TrialToRun, order: DriverOrder): Promise<void> {
  const { trial, attemptsLeft } = toRun;
  for (let go = 0; go < attemptsLeft; go++) {
    const outcome = await attemptOnce(folder, trial, { attempt: toRun.attempt + go, log: order.log });
    if (outcome.kind === 'scored' || outcome.reason === 'build-failed') return;
  }
}

async function attemptOnce(
  folder: RunFolder,
  trial: Trial,
  { attempt, log }: { attempt: number; log: string },
) {
  const say = (what: string) => {
    appendFileSync(log, `${what} ${trial.id} ${attempt}\n`);
    process.stdout.write(`${what}\n`);
  };
  say('begin');
  folder.journal.append({ kind: 'trial-started', at: AT, trial: trial.id, attempt });
  const go = await folder.beginAttempt(trial, attempt);
  writeFileSync(join(go.dir, 'agent', 'stdout.txt'), `output of ${trial.id}\n`);
  const outcome = knownOutcome(trial, attempt);
  await go.commit(anAttempt(trial, attempt, outcome, folder.lock.run));
  say(outcome.kind);
  const final = outcome.kind === 'scored';
  folder.journal.append({
    kind: 'trial-ended',
    at: AT,
    trial: trial.id,
    attempt,
    outcome,
    durationMs: 1,
    final,
  });
  return outcome;
}

await main(JSON.parse(process.argv[2] ?? '{}') as DriverOrder);
