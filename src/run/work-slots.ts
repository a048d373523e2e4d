import pLimit from 'p-limit';

/** Enough that verifiers that wait for a network do not hold up the rest, and few enough that none starves. */
const SLOTS_PER_CPU = 4;

/** Runs work as soon as there is room for it, first come, first served. */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Room for the part of trials that the engine's host has to work for: making containers ready, and verifying. Agents may wait by the
 * hundred for their models, but a hundred verifiers at once on two cores would all run out of time, and a hundred containers
 * made at once would all be ready only with the last.
 */
export function workSlots(hostCpus: number): InSlot {
  const limit = pLimit(Math.max(1, Math.ceil(hostCpus * SLOTS_PER_CPU)));
  return (work) => limit(work);
}
