import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite } from '../base/atomic-write.ts';
import type { ModelRequestRecord } from '../model/model-use.ts';
import type { ModelRequest } from './exchange.ts';
import type { Redactor } from './redact/redactor.ts';

/** Files of an attempt that the gateway writes, in the order of what happened. */
export class RequestLog {
  readonly #dir: string;
  readonly #redactor: Redactor;
  #writes: Promise<void> = Promise.resolve();
  #error: unknown;
  #made = false;

  constructor(dir: string, redactor: Redactor) {
    this.#dir = dir;
    this.#redactor = redactor;
  }

  /** A line of `model-requests.jsonl`, on the disk when {@link flushed} resolves. */
  record(record: ModelRequestRecord): void {
    this.#append('model-requests.jsonl', record);
  }

  /** A line of `egress.jsonl`. */
  egress(line: Readonly<Record<string, unknown>>): void {
    this.#append('egress.jsonl', line);
  }

  /** Keeps a request whole in `first-request.json`: it shows what the harness told the model, Skills among it. */
  firstRequest(request: ModelRequest): void {
    const { protocol, kind, method, path, headers, model, stream, body } = request;
    const kept = this.#redactor.value({
      schemaVersion: 1,
      ...{ protocol, kind, method, path, model, stream, headers, body },
    });
    this.#then(() => atomicWrite(join(this.#dir, 'first-request.json'), `${JSON.stringify(kept)}\n`));
  }

  /** Resolves when everything is on the disk. Rejects with the first error of the file system. */
  async flushed(): Promise<void> {
    await this.#writes;
    if (this.#error !== undefined) throw this.#error;
  }

  #append(file: string, line: unknown): void {
    const text = `${JSON.stringify(this.#redactor.value(line))}\n`;
    this.#then(() => appendFile(join(this.#dir, file), text, { flush: true }));
  }

  #then(write: () => Promise<void>): void {
    this.#writes = this.#writes
      .then(async () => {
        if (!this.#made) await mkdir(this.#dir, { recursive: true });
        this.#made = true;
        await write();
      })
      .catch((error: unknown) => {
        this.#error ??= error;
      });
  }
}
