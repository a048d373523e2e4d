import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { EngineError } from '../engine.ts';
import { engineErrorFrom, protocolError } from './engine-error.ts';
import { type InsistentCall, Patience, type TroubleListener } from './patience.ts';

/** How long an engine that is there may take to answer, on a host that has more to do than it can. */
const ANSWER_MS = 120_000;
/** One that is being restarted takes longer than this. */
const AT_ONCE_MS = 1_000;
const PING_PAUSE_MS = 100;

/** One call of the engine's HTTP interface. */
export interface ApiCall {
  /** Names the call in errors. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Members that are undefined are left out; objects go as JSON, arrays as repeated keys. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly file?: Readable | Buffer;
  /** Takes the connection over: the result is the bare socket. */
  readonly hijack?: boolean;
  readonly signal?: AbortSignal;
  /** Default: `always` for GET and DELETE, `never` with a stream that can be sent but once, else `refused`. */
  readonly again?: InsistentCall['again'];
  /** Until the answer begins, and with {@link DockerApi.json} and {@link DockerApi.run} until it is whole. Infinite where the engine waits for something itself. */
  readonly withinMs?: number;
}

/** Statuses that mean success, in the shape docker-modem wants; every other one becomes an error. */
const SUCCESS = { 200: true, 201: true, 204: true, 304: true };

/**
 * Calls over dockerode's connection. Responses are always taken as streams and read here, because dockerode's own
 * JSON calls never settle when the connection breaks after the response's head, as it does when the engine goes
 * down during a wait.
 */
export class DockerApi {
  readonly #docker: Docker;
  readonly #patience: Patience;
  #absences = 0;

  /** `tell` is told of each call that is made again. */
  constructor(docker: Docker, tell: TroubleListener = () => undefined) {
    this.#docker = docker;
    this.#patience = new Patience(() => this.#isThere(), tell);
  }

  /** How often a call found nobody, or lost its connection, so far. */
  get absences(): number {
    return this.#absences;
  }

  /** The response as it arrives. Its own errors are Node's; the reader maps them. */
  stream(call: ApiCall): Promise<Readable> {
    return this.#insist(call, async (response) => response);
  }

  /** The whole response parsed as JSON; undefined when it is empty. */
  async json<T>(call: ApiCall): Promise<T> {
    const body = await this.#insist(call, (response) => text(response));
    try {
      return (body.trim() === '' ? undefined : JSON.parse(body)) as T;
    } catch (cause) {
      const start = JSON.stringify(body.slice(0, 80));
      throw protocolError(call.operation, `the answer is not JSON: ${start}`, cause);
    }
  }

  /** A call whose answer does not matter. */
  async run(call: ApiCall): Promise<void> {
    await this.#insist(call, drain);
  }

  /** As often as a call may be made again: for one that takes more than {@link ApiCall} can say. */
  insist<T>(call: InsistentCall, go: () => Promise<T>): Promise<T> {
    return this.#patience.insist(call, go);
  }

  #insist<T>(call: ApiCall, read: (response: Readable) => Promise<T>): Promise<T> {
    const { operation, signal, again = usualAgain(call) } = call;
    return this.insist({ operation, signal, again }, () => this.#once(call, read));
  }

  /** One go, with its time. A call that is not answered in time finds the engine as unreachable as a broken one does. */
  async #once<T>(call: ApiCall, read: (response: Readable) => Promise<T>): Promise<T> {
    const { operation, signal, withinMs = ANSWER_MS } = call;
    const late = new AbortController();
    const timer = Number.isFinite(withinMs) ? setTimeout(() => late.abort(), withinMs) : undefined;
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    try {
      return await read(await this.#dial({ ...call, signal: either }));
    } catch (cause) {
      const isLate = late.signal.aborted && signal?.aborted !== true;
      const error = isLate
        ? unanswered(operation, withinMs, cause)
        : engineErrorFrom(operation, cause, signal);
      if (error.kind === 'unreachable') this.#absences += 1;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #isThere(): Promise<boolean> {
    const until = performance.now() + AT_ONCE_MS;
    for (let left = AT_ONCE_MS; left > 0; left = until - performance.now()) {
      const ping = { operation: 'ping', method: 'GET', path: '/_ping', withinMs: left } as const;
      const failure = await this.#once(ping, drain).catch((error: EngineError) => error);
      if (failure?.kind !== 'unreachable') return true;
      await sleep(PING_PAUSE_MS);
    }
    return false;
  }

  #dial(call: ApiCall): Promise<Readable> {
    const query = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
    // `_query` and `_body` keep apart what dockerode would otherwise send twice, body and environment in the address.
    const options = { _query: Object.fromEntries(query), _body: call.body ?? {} };
    return new Promise((resolve, reject) => {
      this.#docker.modem.dial(
        {
          path: query.length === 0 ? call.path : `${call.path}?`,
          method: call.method,
          options,
          statusCodes: SUCCESS,
          isStream: true,
          hijack: call.hijack === true,
          ...(call.file === undefined ? {} : { file: call.file }),
          ...(call.signal === undefined ? {} : { abortSignal: call.signal }),
        },
        (error: unknown, response: unknown) => {
          if (error) reject(error);
          else resolve(response as Readable);
        },
      );
    });
  }
}

function unanswered(operation: string, withinMs: number, cause: unknown): EngineError {
  const detail = `the engine did not answer within ${withinMs / 1000} s`;
  return new EngineError(operation, 'unreachable', detail, { cause });
}

async function drain(response: Readable): Promise<undefined> {
  for await (const _ of response);
}

function usualAgain({ method, file }: ApiCall): InsistentCall['again'] {
  if (method === 'GET' || method === 'DELETE') return 'always';
  return file === undefined || Buffer.isBuffer(file) ? 'refused' : 'never';
}
