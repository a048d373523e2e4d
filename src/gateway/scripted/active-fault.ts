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
  const attempt = Number(request.headers[ATTEMPT_HEADER] ?? Number.NaN);
  const isOver = fault.firstAttempts !== undefined && attempt >= fault.firstAttempts;
  return isOver ? undefined : fault;
}

/** Of an answer that is no stream there is no middle: some harnesses ask without a stream when a stream has failed. */
const STREAM_FAULTS: ReadonlySet<ModelFault['kind']> = new Set([
  'garbage',
  'truncate',
  'stall',
  'stream-error',
]);
