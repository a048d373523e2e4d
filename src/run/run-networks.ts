import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError, type Network } from '../engine/engine.ts';

/** Between two tries to get a network out of a used-up address pool. */
const PAUSE_MS = 2000;
const REMOVAL_BUDGET_MS = 60_000;
/** How long trials wait for a network before they count as not startable. */
const PATIENCE_MS = 600_000;

/** The two kinds of network that trials need: `closed` reaches the gateway alone, `open` the internet too. */
export type NetworkKind = 'closed' | 'open';

/** How a run's networks are made. */
export interface RunNetworksOptions {
  readonly namePrefix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly say: (message: string) => void;
  /** Told of a network that could not be removed. */
  readonly leftBehind: (what: string) => void;
  /** Ends all waiting. */
  readonly stop: AbortSignal;
  readonly pauseMs?: number;
  readonly patienceMs?: number;
}

/**
 * The networks of one run, made when first needed and shared by its trials, since an engine has only some thirty to give. While it has
 * none left, trials wait. Disposing removes them.
 */
export class RunNetworks implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #made = new Map<NetworkKind, Promise<Network>>();
  readonly #options: RunNetworksOptions;

  constructor(engine: Engine, options: RunNetworksOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** The run's network of that kind. Rejects with EngineError; the next call then tries again. */
  get(kind: NetworkKind): Promise<Network> {
    const known = this.#made.get(kind);
    if (known !== undefined) return known;
    const made = this.#make(kind);
    this.#made.set(kind, made);
    made.catch(() => this.#made.delete(kind));
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const made = await Promise.allSettled(this.#made.values());
    this.#made.clear();
    for (const one of made) {
      if (one.status === 'fulfilled') await this.#remove(one.value);
    }
  }

  async #make(kind: NetworkKind): Promise<Network> {
    const { namePrefix, labels, stop, say, pauseMs = PAUSE_MS, patienceMs = PATIENCE_MS } = this.#options;
    const until = performance.now() + patienceMs;
    const spec = { name: `${namePrefix}-${kind}`, internal: kind === 'closed', labels };
    for (let said = false; ; said = true) {
      try {
        return await this.#engine.createNetwork(spec, stop);
      } catch (error) {
        const isUsedUp = error instanceof EngineError && error.kind === 'no-addresses';
        if (!isUsedUp || performance.now() > until) throw error;
        if (!said) say(`${error.message}: trials wait until a network is removed (docker network prune)`);
      }
      await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  async #remove({ id, name }: Network): Promise<void> {
    try {
      await this.#engine.remove({ kind: 'network', id }, AbortSignal.timeout(REMOVAL_BUDGET_MS));
    } catch (error) {
      this.#options.leftBehind(`network ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
