import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { atMost, type Figure, median } from './support/figure.ts';
import { NODE_FLAGS } from './support/node-flags.ts';
import type { ReportAnswer } from './support/report-child.ts';

const CHILD = join(import.meta.dirname, 'support', 'report-child.ts');
const MIB = 2 ** 20;
const ROUNDS = 3;

/** From a run folder on disk to every report on disk, for the public benchmark's size and ten times as many trials. */
export async function reports(): Promise<readonly Figure[]> {
  const small = await reportOf(9_396);
  const large = await reportOf(100_000);
  const perTrial = (answer: ReportAnswer) => answer.durationMs / answer.trials;
  const seconds = (answer: ReportAnswer) => answer.durationMs / 1000;
  return [
    atMost(1.5, { name: nameOf(small), figure: seconds(small), unit: 's' }),
    { name: '  processor time', figure: small.processorMs / 1000, unit: 's' },
    { name: '  peak memory of the process', figure: small.peakBytes / MIB, unit: 'MiB' },
    atMost(12, { name: nameOf(large), figure: seconds(large), unit: 's' }),
    { name: '  processor time', figure: large.processorMs / 1000, unit: 's' },
    atMost(400, { name: '  peak memory of the process', figure: large.peakBytes / MIB, unit: 'MiB' }),
    atMost(1.25, {
      name: '  time for each trial, against the smaller run',
      figure: perTrial(large),
      unit: 'ms',
      ratio: perTrial(large) / perTrial(small),
    }),
  ];
}

function nameOf({ trials }: ReportAnswer): string {
  return `report of ${trials.toLocaleString('en')} trials`;
}

/** The median of several processes; the files are in the page cache, as they are after a run. */
async function reportOf(size: number): Promise<ReportAnswer> {
  const base = await mkdtemp(join(tmpdir(), 'skillpair-bench-report-'));
  try {
    const dir = join(base, 'run');
    await child('write', dir, String(size));
    const answers: ReportAnswer[] = [];
    for (let round = 0; round < ROUNDS; round++) answers.push(await child('report', dir));
    return {
      trials: answers[0]?.trials ?? 0,
      durationMs: median(answers.map(({ durationMs }) => durationMs)),
      processorMs: median(answers.map(({ processorMs }) => processorMs)),
      peakBytes: Math.max(...answers.map(({ peakBytes }) => peakBytes)),
    };
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function child(...args: readonly string[]): Promise<ReportAnswer> {
  const { stdout } = await execa(process.execPath, [...NODE_FLAGS, CHILD, ...args]);
  return JSON.parse(stdout) as ReportAnswer;
}
