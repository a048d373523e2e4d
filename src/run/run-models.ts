import type { Gateway } from '../gateway/gateway.ts';
import type { GatewayReach } from './gateway-reach.ts';
import type { RunNetworks } from './run-networks.ts';

/** What trials need to reach models: shared by a run. */
export interface RunModels {
  readonly gateway: Gateway;
  readonly networks: RunNetworks;
  readonly reach: GatewayReach;
}
