import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { engineErrorFrom, protocolError } from './engine-error.ts';

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

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** The response as it arrives. Its own errors are Node's; the reader maps them. */
  async stream(call: ApiCall): Promise<Readable> {
    try {
      return await this.#dial(call);
    } catch (error) {
      throw engineErrorFrom(call.operation, error, call.signal);
    }
  }

  /** The whole response parsed as JSON; undefined when it is empty. */
  async json<T>(call: ApiCall): Promise<T> {
    const response = await this.stream(call);
    let body: string;
    try {
      body = await text(response);
    } catch (error) {
      throw engineErrorFrom(call.operation, error, call.signal);
    }
    try {
      return (body.trim() === '' ? undefined : JSON.parse(body)) as T;
    } catch (cause) {
      const start = JSON.stringify(body.slice(0, 80));
      throw protocolError(call.operation, `the answer is not JSON: ${start}`, cause);
    }
  }

  /** A call whose answer does not matter. */
  async run(call: ApiCall): Promise<void> {
    const response = await this.stream(call);
    try {
      for await (const _ of response);
    } catch (error) {
      throw engineErrorFrom(call.operation, error, call.signal);
    }
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
