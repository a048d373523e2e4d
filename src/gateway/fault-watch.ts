import type { ModelRequestRecord } from '../model/model-use.ts';
import type { FailureKind } from './failure-kind.ts';
import type { GatewayFault } from './gateway.ts';

/** How a request went, as far as it bears on the attempt's outcome. */
export interface Finished {
  readonly record: ModelRequestRecord;
  /** Absent where the answer came whole, or where it is the harness that ended it. */
  readonly failure?: FailureKind;
}

/**
 * Decides which fault, if any, an attempt's requests amount to. A failure that a later answer made good is none: only what stood
 * last counts. Budgets and another model's answer stay whatever follows.
 */
export class FaultWatch {
  readonly #voidsOnMismatch: boolean;
  readonly #stalledAfterMs: number;
  #lasting: GatewayFault | undefined;
  #last: GatewayFault | undefined;

  constructor(options: { readonly voidsOnMismatch: boolean; readonly stalledAfterMs: number }) {
    this.#voidsOnMismatch = options.voidsOnMismatch;
    this.#stalledAfterMs = options.stalledAfterMs;
  }

  usedUp(detail: string): void {
    // What ended the attempt is the better reason than what was seen before it.
    if (this.#lasting?.reason !== 'budget-exhausted') this.#lasting = { reason: 'budget-exhausted', detail };
  }

  finished({ record, failure }: Finished): void {
    if (failure !== undefined) {
      if (record.kind === 'generate' || failure === 'auth') this.#last = faultOf(failure, record);
      return;
    }
    if (record.kind === 'generate') this.#last = this.#stall(record.silentMs) ?? this.#last;
    const whole = record.fault === undefined && record.status !== undefined && record.status < 400;
    if (record.kind === 'generate' && whole) this.#last = undefined;
    if (this.#voidsOnMismatch) this.#lasting ??= mismatch(record);
  }

  /** `silentMs`: for how long what is open has been without a word. */
  fault(silentMs: number): GatewayFault | undefined {
    return this.#lasting ?? this.#stall(silentMs) ?? this.#last;
  }

  #stall(silentMs = 0): GatewayFault | undefined {
    if (silentMs < this.#stalledAfterMs) return undefined;
    const seconds = Math.round(silentMs / 1000);
    const detail = `the provider said nothing for ${seconds} s, until the request was ended (models.stalledAfterSeconds: ${this.#stalledAfterMs / 1000})`;
    return { reason: 'provider-error', detail };
  }
}

function faultOf(failure: FailureKind, { status, fault, model }: ModelRequestRecord): GatewayFault {
  const said = fault === undefined ? '' : `: ${fault}`;
  const answer = status === undefined ? 'gave no answer' : `answered ${status}`;
  switch (failure) {
    case 'auth':
      return { reason: 'provider-auth', detail: `the provider ${answer} to the key${said}` };
    case 'limit':
      return { reason: 'provider-limit', detail: `the provider ${answer} to the end${said}` };
    default: {
      const asked = model === undefined ? '' : ` for model ${model}`;
      return {
        reason: 'provider-error',
        detail: `the last request${asked} failed: the provider ${answer}${said}`,
      };
    }
  }
}

/** Strict: an alias that the provider answers with a dated name differs too, since nobody can say that it meant the same all the time. */
function mismatch({ model, servedModel }: ModelRequestRecord): GatewayFault | undefined {
  if (model === undefined || servedModel === undefined || sameModel(model, servedModel)) return undefined;
  const alias = servedModel.startsWith(`${model}-`)
    ? ` (as it seems a dated name of the same; name that one in the experiment)`
    : '';
  return { reason: 'model-mismatch', detail: `${model} was asked for and ${servedModel} answered${alias}` };
}

/** Gemini writes the same name with and without its collection. */
function sameModel(asked: string, served: string): boolean {
  return asked.replace(/^models\//, '') === served.replace(/^models\//, '');
}
