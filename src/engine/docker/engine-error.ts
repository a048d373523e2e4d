import { EngineError, type EngineErrorKind } from '../engine.ts';

/** The fields by which Node, dockerode and the engine describe a failure; each may be absent. */
interface RawFailure {
  readonly message?: string;
  readonly name?: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly statusCode?: number;
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What the engine says in words outranks its status code: it answers 500 to most of these. */
const PHRASES: readonly (readonly [RegExp, EngineErrorKind])[] = [
  // First, since such a message holds a path that somebody in a container has made up, word by word.
  [/: file name too long\s*$/i, 'too-deep'],
  [/no space left on device|disk quota exceeded/i, 'no-space'],
  [
    /non-overlapping IPv4 address pool|all predefined address pools have been fully subnetted/i,
    'no-addresses',
  ],
  [
    /does not match the (specified|detected|expected)[^\n]* platform|no matching manifest for|exec format error|unknown operating system or architecture/i,
    'platform',
  ],
  [/socket hang up/i, 'unreachable'],
];

/**
 * Turns whatever an engine call rejected with into the one error type of the seam. An {@link EngineError} passes
 * unchanged. `signal` is the call's own: once it has fired, any failure of the call counts as its doing.
 */
export function engineErrorFrom(operation: string, error: unknown, signal?: AbortSignal): EngineError {
  if (error instanceof EngineError) return error;
  const raw = (
    typeof error === 'object' && error !== null ? error : { message: String(error) }
  ) as RawFailure;
  const kind = signal?.aborted === true ? 'aborted' : kindOf(raw);
  return new EngineError(operation, kind, kind === 'aborted' ? abortDetail(signal) : detailOf(raw), {
    cause: error,
  });
}

/** An answer that does not keep to the engine's own protocol. */
export function protocolError(operation: string, detail: string, cause: unknown): EngineError {
  return new EngineError(operation, 'protocol', detail, { cause });
}

/** True where the engine itself answered that it could not, for no reason that it would have again the next time. */
export function isRefusal(error: EngineError): boolean {
  const status = (error.cause as RawFailure | undefined)?.statusCode ?? 0;
  return error.kind === 'other' && status >= 500;
}

/** The kind that the engine's own words speak of, if they speak of one. */
export function kindInWords(message: string): EngineErrorKind | undefined {
  return PHRASES.find(([pattern]) => pattern.test(message))?.[1];
}

function kindOf(raw: RawFailure): EngineErrorKind {
  if (raw.name === 'AbortError' || raw.name === 'TimeoutError') return 'aborted';
  if (raw.code === 'ENOSPC') return 'no-space';
  if (isConnectionLoss(raw)) return 'unreachable';
  return kindInWords(raw.message ?? '') ?? kindByStatus(raw.statusCode);
}

/** ENOENT and EACCES speak of the socket only when connecting: a host file that vanished is no lost engine. */
function isConnectionLoss({ code, syscall }: RawFailure): boolean {
  if (code === undefined) return false;
  return UNREACHABLE_CODES.has(code) || (syscall === 'connect' && (code === 'ENOENT' || code === 'EACCES'));
}

function kindByStatus(status: number | undefined): EngineErrorKind {
  if (status === 404) return 'not-found';
  return status === 409 ? 'conflict' : 'other';
}

function detailOf(raw: RawFailure): string {
  const text = (raw.message ?? '').replace(/^\(HTTP code \d+\) \S+ - /, '').trim();
  return text === '' ? (raw.code ?? 'the engine gave no reason') : text;
}

function abortDetail(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? 'stopped: its time was up'
    : 'stopped on request';
}
