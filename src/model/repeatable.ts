import type { UnscoredReason } from './outcome.ts';

/** One rule for all conditions: whether the same trial may well go otherwise when attempted again, unasked. */
const REPEATABLE: Readonly<Record<UnscoredReason, boolean>> = {
  'build-failed': false,
  'start-failed': true,
  'runtime-lost': true,
  'harness-install-failed': false,
  'harness-protocol': true,
  'provider-limit': true,
  'provider-auth': false,
  'provider-error': true,
  'model-mismatch': false,
  'budget-exhausted': false,
  'verifier-error': true,
  'condition-violated': false,
  'arms-differ': false,
  cancelled: true,
  'not-run': true,
  'not-told': false,
  internal: false,
};

/**
 * True when a further attempt is worth its cost after this reason. A failing build, a refused key, a container that does
 * not hold what it should and a fault of our own come out the same again: those wait until a person asks for them.
 */
export function isRepeatable(reason: UnscoredReason): boolean {
  return REPEATABLE[reason];
}
