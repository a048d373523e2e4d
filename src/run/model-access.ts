import { join } from 'node:path';
import type { Network } from '../engine/engine.ts';
import type { TrialAccess } from '../gateway/gateway.ts';
import { Fault } from '../model/fault.ts';
import type { Harness } from '../model/harness.ts';
import type { Task } from '../model/task.ts';
import type { OpenWay } from './gateway-reach.ts';
import type { AttemptInput, TrialServices } from './trial-context.ts';

/** One attempt's way to the gateway: its token, its network, and where the gateway is from there. */
export interface ModelAccess {
  readonly access: TrialAccess;
  readonly network: Network;
  readonly way: OpenWay;
  /** `http://host:port`. */
  readonly gatewayUrl: string;
  /** Variables that lead the container's programs through the gateway's proxy; empty where the task names no hosts. */
  readonly proxyEnv: Readonly<Record<string, string>>;
}

/** The account of a harness that needs no model: nobody answers. */
export const NO_PROVIDER = 'none';

/** What programs read to find a proxy; in both cases, since they do not agree. */
export const PROXY_VARIABLES = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/** Whether an attempt goes through the gateway: its harness needs a model, or its task names the hosts that may be reached. */
export function needsGateway(harness: Harness, task: Task): boolean {
  return harness.manifest.protocol !== undefined || task.environment.network === 'allowlist';
}

/**
 * Opens the way for one attempt that needs it. The caller disposes `access` as soon as the agent has ended.
 * Throws Fault where the account is known to refuse.
 */
export async function openModelAccess(services: TrialServices, input: AttemptInput): Promise<ModelAccess> {
  const { harness, task, configuration, trial } = input;
  const { models } = services;
  if (models === undefined) throw new Error('a run that needs the model gateway was started without one');
  const provider = configuration.provider ?? harness.manifest.protocol ?? NO_PROVIDER;
  const refused = models.gateway.refused(provider);
  if (refused !== undefined) throw new Fault(refused.reason, 'start', refused.detail);
  const { network: policy, allowHosts } = task.environment;
  const network = await models.networks.get(policy === 'internet' ? 'open' : 'closed');
  const way = await models.reach.from(network);
  const access = models.gateway.admit({
    trial: trial.id,
    attempt: input.attempt,
    configuration: configuration.name,
    provider,
    model: configuration.model ?? '',
    evidenceDir: join(input.evidenceDir, 'agent'),
    providerTools: policy === 'internet',
    allowHosts,
  });
  return {
    access,
    network,
    way,
    gatewayUrl: `http://${way.place}`,
    proxyEnv:
      policy === 'allowlist' ? proxyVariables(`http://trial:${access.token}@${way.place}`, network) : {},
  };
}

/** With a user and a password: some programs send neither where one is missing. */
function proxyVariables(url: string, { gatewayAddress }: Network): Record<string, string> {
  const bypass = `${gatewayAddress},localhost,127.0.0.1`;
  return Object.fromEntries(
    PROXY_VARIABLES.map((name) => [name, name.toLowerCase() === 'no_proxy' ? bypass : url]),
  );
}
