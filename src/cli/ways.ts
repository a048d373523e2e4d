import { thisProcess } from '../base/lock-file.ts';
import { type Engine, LABEL, ownerLabels } from '../engine/engine.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ImageStore } from '../image/image-store.ts';
import type { ReachSettings } from '../model/gateway-way.ts';
import { GatewayReach } from '../run/gateway-reach.ts';
import { RunNetworks } from '../run/run-networks.ts';

/** What networks and ways to the gateway are made with. */
export interface WaysFor {
  readonly engine: Engine;
  /** Run id, or what else these objects belong to: in names and labels. */
  readonly run: string;
  readonly images: Pick<ImageStore, 'ownBase'>;
  readonly settings: ReachSettings;
  readonly stop: AbortSignal;
  readonly say: (message: string) => void;
  readonly leftBehind: (what: string) => void;
}

/** The networks of a run and how their containers reach the gateway. Disposing removes both. */
export interface Ways extends AsyncDisposable {
  readonly networks: RunNetworks;
  readonly reach: GatewayReach;
}

/** Makes nothing yet: networks and relays are made when a trial first needs them. */
export function openWays(gateway: Gateway, from: WaysFor): Ways {
  const { engine, run, images, settings, stop, say, leftBehind } = from;
  const labels = { [LABEL.managed]: '1', [LABEL.run]: run, ...ownerLabels(thisProcess()) };
  const networks = new RunNetworks(engine, {
    namePrefix: `skillpair-${run}`,
    labels: { ...labels, [LABEL.kind]: 'network' },
    say,
    leftBehind,
    stop,
  });
  const image = (signal: AbortSignal) => images.ownBase(signal);
  const reach = new GatewayReach({ engine, gateway, settings, labels, image, leftBehind, stop });
  return {
    networks,
    reach,
    [Symbol.asyncDispose]: async () => {
      // Also where the one breaks, the other goes: relays first, since a network with a container in it cannot be removed.
      await using stack = new AsyncDisposableStack();
      stack.use(networks);
      stack.use(reach);
    },
  };
}
