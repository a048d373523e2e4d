import type { AttemptRecord } from '../model/attempt.ts';

const LONGEST = 2000;
const MOST = 100_000;

/** Gives back one and the same value for equal plain values. */
export type Share = <T>(value: T) => T;

/** Makes a {@link Share} for one reading; it remembers a bounded number of values. */
export function makeShare(): Share {
  const seen = new Map<string, unknown>();
  return <T>(value: T): T => {
    const key = JSON.stringify(value) ?? '';
    const known = seen.get(key);
    if (known !== undefined) return known as T;
    if (key.length <= LONGEST && seen.size < MOST) seen.set(key, value);
    return value;
  };
}

/**
 * The record with those of its parts that hundreds of records have in common taken from `share`: most of a record is digests, limits and
 * names of tests, and a hundred thousand of them must fit into memory.
 */
export function withSharedParts(record: AttemptRecord, share: Share): AttemptRecord {
  const { outcome } = record;
  if (outcome.kind === 'scored') for (const test of outcome.verdict.tests) test.name = share(test.name);
  return {
    ...record,
    digests: share(record.digests),
    images: share(record.images),
    attestation: share(record.attestation),
    skillUse: share(record.skillUse),
    notices: share(record.notices),
    evidence: share(record.evidence),
    ...(record.limits === undefined ? {} : { limits: share(record.limits) }),
  };
}
