import type { ModelFault } from '../../model/model-script.ts';
import type { ModelRequest } from '../exchange.ts';

/** Counts from 0 how often the harness's client library has sent this request before. */
const ATTEMPT_HEADER = 'x-stainless-retry-count';

/** A rule's fault where this request suffers it. `turn` is the number of turns with tool results in the request. */
export function activeFault(
  fault: ModelFault | undefined,
  request: ModelRequest,
  turn: number,
): ModelFault | undefined {
  if (fault === undefined || turn < fault.from) return undefined;
  if (!request.stream && STREAM_FAULTS.has(fault.kind)) return undefined;
  const isOver = fault.firstAttempts !== undefined && attemptsBefore(request) >= fault.firstAttempts;
  return isOver ? undefined : fault;
}

/** Libraries that count for themselves may change a byte of what they send again; most programs do not count. */
function attemptsBefore({ headers, repeats = 0 }: ModelRequest): number {
  const counted = Number(headers[ATTEMPT_HEADER] ?? 0);
  return Number.isNaN(counted) ? repeats : Math.max(counted, repeats);
}

/** Of an answer that is no stream there is no middle: some harnesses ask without a stream when a stream has failed. */
const STREAM_FAULTS: ReadonlySet<ModelFault['kind']> = new Set([
  'garbage',
  'truncate',
  'stall',
  'stream-error',
]);
