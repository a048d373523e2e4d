import type Docker from 'dockerode';
import { EngineError, type Network, type NetworkSpec } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { protocolError } from './engine-error.ts';
import { removeObject } from './owned.ts';

const OPERATION = 'create network';
const BUDGET_MS = 60_000;

/**
 * Creates a bridge network on which containers do not reach each other. The call is never cut short, since the engine
 * would finish it all the same and nobody would own the result: when `signal` fires meanwhile, the network is removed
 * as soon as it is there. Rejects with kind `no-addresses` when the engine's address pools are used up.
 */
export async function createNetwork(
  api: DockerApi,
  spec: NetworkSpec,
  signal: AbortSignal,
): Promise<Network> {
  if (signal.aborted) throw aborted();
  const { Id: id } = await api.json<{ Id: string }>({
    operation: OPERATION,
    method: 'POST',
    path: '/networks/create',
    body: createBody(spec),
    signal: AbortSignal.timeout(BUDGET_MS),
  });
  try {
    if (signal.aborted) throw aborted();
    return { id, name: spec.name, gatewayAddress: await gatewayOf(api, id) };
  } catch (error) {
    await removeObject(api, { kind: 'network', id }, AbortSignal.timeout(BUDGET_MS));
    throw error;
  }
}

function createBody(spec: NetworkSpec): Readonly<Record<string, unknown>> {
  return {
    Name: spec.name,
    CheckDuplicate: true,
    Driver: 'bridge',
    Internal: spec.internal,
    Attachable: false,
    Labels: spec.labels,
    Options: { 'com.docker.network.bridge.enable_icc': 'false' },
  };
}

async function gatewayOf(api: DockerApi, id: string): Promise<string> {
  const network = await api.json<Docker.NetworkInspectInfo>({
    operation: OPERATION,
    method: 'GET',
    path: `/networks/${id}`,
    signal: AbortSignal.timeout(BUDGET_MS),
  });
  const gateway = network.IPAM?.Config?.find((config) => config.Gateway !== undefined)?.Gateway;
  if (gateway === undefined)
    throw protocolError(OPERATION, `the engine names no gateway for ${network.Name}`, undefined);
  // Some engines write the prefix length after it.
  return gateway.replace(/\/\d+$/, '');
}

function aborted(): EngineError {
  return new EngineError(OPERATION, 'aborted', 'stopped on request');
}
