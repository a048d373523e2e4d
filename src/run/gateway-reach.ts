import { type Engine, EngineError, type ImageId, LABEL, type Network } from '../engine/engine.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { Fault } from '../model/fault.ts';
import type { GatewayWay, ReachSettings } from '../model/gateway-way.ts';
import { type Relay, type RelayFrom, startRelay } from './start-relay.ts';

/** Where a runner may be, seen from its engine, when nobody says: Docker Desktop's name for it, and the same machine. */
const USUAL_HOSTS = ['host.docker.internal', '127.0.0.1'];

/** The open way from a network to the gateway. */
export interface OpenWay extends GatewayWay {
  /** Fires when the relay is lost; never where there is none. */
  readonly lost: AbortSignal;
}

/** What ways are opened with. */
export interface GatewayReachOptions {
  readonly engine: Engine;
  readonly gateway: Gateway;
  readonly settings: ReachSettings;
  /** Labels of the run's objects; the kind is added. */
  readonly labels: Readonly<Record<string, string>>;
  /** An image with Python 3, asked for when a relay is needed. */
  readonly image: (signal: AbortSignal) => Promise<ImageId>;
  readonly leftBehind: (what: string) => void;
  readonly stop: AbortSignal;
}

/** How the containers of a run reach the gateway, decided once for each of its networks. Disposing removes the relays. */
export class GatewayReach implements AsyncDisposable {
  readonly #options: GatewayReachOptions;
  readonly #ways = new Map<string, Promise<OpenWay>>();
  readonly #relays: Relay[] = [];
  #started = 0;

  constructor(options: GatewayReachOptions) {
    this.#options = options;
  }

  /** Throws Fault where there is no way; the next call tries again, and so does the first after a relay was lost. */
  from(network: Network): Promise<OpenWay> {
    const known = this.#ways.get(network.id);
    if (known !== undefined) return known;
    const opening = this.#open(network);
    this.#ways.set(network.id, opening);
    const forget = () => this.#ways.delete(network.id);
    opening.then(({ lost }) => {
      if (lost.aborted) forget();
      lost.addEventListener('abort', forget, { once: true });
    }, forget);
    return opening;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#ways.values());
    await Promise.all(this.#relays.splice(0).map((relay) => relay[Symbol.asyncDispose]()));
  }

  async #open(network: Network): Promise<OpenWay> {
    const { gateway, settings } = this.#options;
    const { gatewayAddress } = network;
    if (settings.reach === 'relay') return this.#openRelay(network);
    const error = await listenError(gateway, gatewayAddress);
    if (error === undefined) {
      const lost = new AbortController().signal;
      return { kind: 'direct', place: `${gatewayAddress}:${gateway.port}`, lost };
    }
    const isElsewhere = error.code === 'EADDRNOTAVAIL';
    if (settings.reach === 'auto' && isElsewhere) return this.#openRelay(network);
    const why = isElsewhere
      ? `the engine's networks are not on this machine; take models.reach: ${settings.reach} out of the machine's settings`
      : 'free that port';
    throw unreachable(
      network,
      `cannot listen on ${gatewayAddress}:${gateway.port} (${error.message}): ${why}`,
    );
  }

  async #openRelay(network: Network): Promise<OpenWay> {
    const { gateway, settings } = this.#options;
    const { hostAddress } = settings;
    const error = hostAddress === undefined ? undefined : await listenError(gateway, hostAddress);
    using knock = gateway.expectKnock();
    const from = await this.#relayFrom(network, knock);
    const relay = await startRelay(from).catch((cause: unknown) => {
      if (cause instanceof EngineError || !(cause instanceof Error)) throw cause;
      const lines = [cause.message, ...(error === undefined ? [] : [`here: ${error.message}`])];
      throw unreachable(network, `${lines.join('\n')}\n${repair(settings)}`, cause);
    });
    this.#relays.push(relay);
    const { place, through, lost } = relay;
    gateway.answerTo(place);
    return { kind: 'relay', place, through, lost };
  }

  async #relayFrom(network: Network, knock: RelayFrom['knock']): Promise<RelayFrom> {
    const { engine, gateway, settings, labels, image, leftBehind, stop } = this.#options;
    this.#started += 1;
    return {
      engine,
      image: await image(stop),
      name: `${network.name}-relay-${this.#started}`,
      labels: { ...labels, [LABEL.kind]: 'relay' },
      address: network.gatewayAddress,
      gatewayPort: gateway.port,
      hosts: settings.hostAddress === undefined ? USUAL_HOSTS : [settings.hostAddress],
      knock,
      stop,
      leftBehind,
    };
  }
}

async function listenError(gateway: Gateway, address: string): Promise<NodeJS.ErrnoException | undefined> {
  return gateway.listen(address).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

function repair({ hostAddress }: ReachSettings): string {
  return hostAddress === undefined
    ? 'say in .skillpair/machine.yaml by what address the engine’s host reaches this machine: models: { hostAddress: 192.0.2.10 }'
    : `correct models.hostAddress (${hostAddress}) in .skillpair/machine.yaml, and let the engine’s host through to this machine`;
}

function unreachable({ name }: Network, why: string, cause?: unknown): Fault {
  return new Fault('start-failed', 'start', `containers on ${name} cannot reach the model gateway:\n${why}`, {
    cause,
  });
}
