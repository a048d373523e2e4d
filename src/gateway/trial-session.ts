import { digestBytes, digestValue } from '../base/digest.ts';
import type { ModelMode, ModelSettings } from '../model/model-settings.ts';
import type { ModelRequestRecord, ModelUse } from '../model/model-use.ts';
import type { BudgetScope } from './budget-scope.ts';
import type { ModelRequest, Respond } from './exchange.ts';
import { FaultWatch, type Finished } from './fault-watch.ts';
import type { Admission, GatewayFault, TrialAccess } from './gateway.ts';
import type { Redactor } from './redact/redactor.ts';
import { RequestLog } from './request-log.ts';
import { Silence } from './silence.ts';
import { asObject, member } from './usage/answer-reader.ts';
import { UseLedger } from './use-ledger.ts';

/** What an attempt is admitted with. */
export interface SessionOptions {
  readonly admission: Admission;
  readonly token: string;
  readonly mode: ModelMode;
  readonly servedModelDiffers: ModelSettings['servedModelDiffers'];
  readonly respond: Respond;
  readonly redactor: Redactor;
  readonly answerRedactor: Redactor;
  /** From the attempt's own to the run's. */
  readonly budgets: readonly BudgetScope[];
  /** A provider that is silent for longer has failed, in ms. */
  readonly stalledAfterMs: number;
  /** Money that a request came to, in US dollars; undefined where there is no known price. */
  readonly price: (record: ModelRequestRecord) => number | undefined;
  /** Called once, when the token must no longer mean anything. */
  readonly onEnd: () => void;
}

/** One attempt at the gateway: its token, its open requests, its sums and its files. */
export class TrialSession implements TrialAccess {
  readonly token: string;
  readonly admission: Admission;
  readonly respond: Respond;
  /** For what is kept, and for errors that are passed on. */
  readonly redactor: Redactor;
  /** For answers that are passed on: a secret that is an ordinary word would change what a model says. */
  readonly answerRedactor: Redactor;
  readonly log: RequestLog;
  /** Fires when the attempt is over: what is open is cut. */
  readonly ended: AbortSignal;
  /** When the oldest wish that got no turn yet began, in ms: a harness that asks anew keeps its place in the queue. */
  waitingSince: number | undefined;
  readonly #options: SessionOptions;
  readonly #end = new AbortController();
  readonly #exhausted = new AbortController();
  readonly #ledger: UseLedger;
  readonly #faults: FaultWatch;
  readonly #memberships: readonly Disposable[];
  readonly #open = new Set<Promise<void>>();
  readonly #silences = new Set<Silence>();
  /** By digest: a request may have megabytes. */
  readonly #sent = new Map<string, number>();
  #numbers = 0;
  #kept: 'nothing' | 'without-tools' | 'with-tools' = 'nothing';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.token = options.token;
    this.admission = options.admission;
    this.respond = options.respond;
    this.redactor = options.redactor;
    this.answerRedactor = options.answerRedactor;
    this.ended = this.#end.signal;
    this.log = new RequestLog(options.admission.evidenceDir, options.redactor);
    this.#ledger = new UseLedger(options.mode, options.admission.provider);
    this.#faults = new FaultWatch({
      voidsOnMismatch: options.servedModelDiffers === 'void',
      stalledAfterMs: options.stalledAfterMs,
    });
    this.#memberships = options.budgets.map((budget) => budget.join((detail) => this.#usedUp(detail)));
  }

  get exhausted(): AbortSignal {
    return this.#exhausted.signal;
  }

  use(): ModelUse {
    return this.#ledger.sum();
  }

  /** What is still open counts too: the harness's end is seen here a moment before the end of its connections. */
  fault(): GatewayFault | undefined {
    const open = [...this.#silences].map(({ ms }) => ms);
    return this.#faults.fault(Math.max(0, ...open));
  }

  /** Notes for how long nothing comes of a request, until it is disposed. */
  listen({ kind }: ModelRequest, now: () => number): Silence & Disposable {
    const silence = new Silence(now);
    if (kind === 'generate') this.#silences.add(silence);
    return Object.assign(silence, { [Symbol.dispose]: () => this.#silences.delete(silence) });
  }

  nextNumber(): number {
    return ++this.#numbers;
  }

  /** How often the same was sent before; counts this one. Programs send again what failed, and few of them say so. */
  countRepeat({ path, bytes }: ModelRequest): number {
    const digest = digestValue({ path, body: digestBytes(bytes) });
    const before = this.#sent.get(digest) ?? 0;
    this.#sent.set(digest, before + 1);
    return before;
  }

  /** Keeps the first request that offers tools, and before there is one the first at all. */
  keepFirst(request: ModelRequest): void {
    if (request.kind !== 'generate' || this.#kept === 'with-tools') return;
    const offers = offersTools(request.body);
    if (this.#kept === 'without-tools' && !offers) return;
    this.#kept = offers ? 'with-tools' : 'without-tools';
    this.log.firstRequest(request);
  }

  /** Why no further request may be made; counts the request where it may. Only what a model is asked for counts. */
  budgetRefusal(request: ModelRequest): string | undefined {
    if (request.kind !== 'generate') return undefined;
    for (const budget of this.#options.budgets) {
      const refusal = budget.refusal();
      if (refusal !== undefined) return refusal;
    }
    for (const budget of this.#options.budgets) budget.countRequest();
    return undefined;
  }

  finished(finished: Finished): void {
    const { record } = finished;
    this.#ledger.add(record);
    this.#faults.finished(finished);
    if (record.usage !== undefined) {
      const usd = this.#options.price(record);
      for (const budget of this.#options.budgets) budget.countUsage(record.usage, usd);
    }
    this.log.record(record);
  }

  /** Disposal waits for what is tracked here. */
  track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#open.delete(tracked));
    this.#open.add(tracked);
  }

  /** Cuts what is open, and resolves when everything is on the disk; rejects where that failed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.ended.aborted) {
      this.#options.onEnd();
      for (const membership of this.#memberships) membership[Symbol.dispose]();
      this.#end.abort(new Error('the trial has ended'));
    }
    await Promise.allSettled(this.#open);
    await this.log.flushed();
  }

  #usedUp(detail: string): void {
    this.#faults.usedUp(detail);
    this.#exhausted.abort(new Error(detail));
  }
}

/** Tools stand at the top, or, for some models of Codex, in an input item. */
function offersTools(body: unknown): boolean {
  const tools = member(body, 'tools');
  if (Array.isArray(tools) && tools.length > 0) return true;
  const input = member(body, 'input');
  return Array.isArray(input) && input.some((item) => asObject(item)?.type === 'additional_tools');
}
