import type { AttemptRecord } from '../model/attempt.ts';
import type { Outcome } from '../model/outcome.ts';
import type { TrialRecord } from '../model/run-record.ts';
import { pairKey } from '../model/trial.ts';

interface Alike {
  readonly name: string;
  readonly read: (attempt: AttemptRecord) => string | undefined;
}

/** What two trials of a pair must have in common, since they may differ in their Skills alone. */
const ALIKE: readonly Alike[] = [
  { name: 'task image', read: ({ images }) => images.task },
  { name: 'task', read: ({ digests }) => digests.task },
  { name: 'instruction', read: ({ digests }) => digests.instruction },
  { name: 'harness', read: ({ digests }) => digests.harness },
  { name: "harness's version", read: ({ harnessVersion }) => harnessVersion },
  { name: 'limits', read: ({ limits }) => limits && limitsText(limits) },
];

function limitsText(limits: NonNullable<AttemptRecord['limits']>): string {
  const { cpus, memoryBytes, pids, storageBytes, agentTimeoutMs, verifierTimeoutMs } = limits;
  const granted = [cpus, memoryBytes, pids, storageBytes].map((limit) => limit?.granted ?? 'none');
  const [cpu, memory, processes, storage] = granted;
  return `${cpu} CPUs, ${memory} bytes of memory, ${processes} processes, ${storage} bytes of storage, ${agentTimeoutMs} and ${verifierTimeoutMs} ms`;
}

/**
 * Takes the verdicts from scored pairs whose arms were not alike: an image that was built anew between them, or a host with fewer CPUs, say,
 * where a run was gone on with later. Their difference would be taken for a gain. The attempts stay as they are.
 */
export function withoutUnequalArms(trials: readonly TrialRecord[]): readonly TrialRecord[] {
  const unequal = unequalPairs(trials);
  if (unequal.size === 0) return trials;
  const pairs = Map.groupBy(trials.filter(isScored), ({ trial }) => pairKey(trial));
  return trials.map((record) => {
    const key = pairKey(record.trial);
    return unequal.has(key) && isScored(record) ? withOutcome(record, pairs.get(key) ?? []) : record;
  });
}

/** Their keys. Nearly always there is none, and little is held to find that out. */
function unequalPairs(trials: readonly TrialRecord[]): ReadonlySet<string> {
  const firsts = new Map<string, TrialRecord>();
  const unequal = new Set<string>();
  for (const record of trials) {
    if (!isScored(record)) continue;
    const key = pairKey(record.trial);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, record);
    else if (differenceOf(first, record) !== undefined) unequal.add(key);
  }
  return unequal;
}

function isScored({ outcome }: TrialRecord): boolean {
  return outcome.kind === 'scored';
}

function withOutcome(record: TrialRecord, pair: readonly TrialRecord[]): TrialRecord {
  const details = pair.flatMap((other) => differenceOf(record, other) ?? []);
  const outcome: Outcome = {
    kind: 'unscored',
    reason: 'arms-differ',
    phase: 'check',
    detail: details.join('; '),
  };
  return { ...record, outcome };
}

/** What differs, with both values; undefined where nothing that both recorded does. */
function differenceOf(one: TrialRecord, other: TrialRecord): string | undefined {
  const [a, b] = [one.counted, other.counted];
  if (a === undefined || b === undefined || a === b) return undefined;
  const differences = ALIKE.flatMap(({ name, read }) => {
    const [here, there] = [read(a), read(b)];
    if (here === undefined || there === undefined || here === there) return [];
    return [`${name} ${here} here and ${there} in ${other.trial.id}`];
  });
  return differences.length === 0 ? undefined : differences.join(', ');
}
