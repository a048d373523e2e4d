import type Docker from 'dockerode';
import { EngineError, type Network, type NetworkSpec } from '../engine.ts';
import type { DockerApi } from './api.ts';
import { protocolError } from './engine-error.ts';
import { ownedObjects, removeObject } from './owned.ts';

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
  const id = await create(api, spec);
  try {
    if (signal.aborted) throw aborted();
    return { id, name: spec.name, gatewayAddress: await gatewayOf(api, id) };
  } catch (error) {
    await removeObject(api, { kind: 'network', id }, AbortSignal.timeout(BUDGET_MS));
    throw error;
  }
}

/** Where the answer got lost, the network may be there, and the engine would refuse a second of its name. */
function create(api: DockerApi, spec: NetworkSpec): Promise<string> {
  return api.insist({ operation: OPERATION, signal: undefined, again: 'always' }, async () => {
    try {
      const answer = await api.json<{ Id: string }>({
        operation: OPERATION,
        method: 'POST',
        path: '/networks/create',
        body: createBody(spec),
        withinMs: BUDGET_MS,
        again: 'never',
      });
      return answer.Id;
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'unreachable') await removeUnanswered(api, spec);
      throw error;
    }
  });
}

/** Ours if it has the name and all the labels. */
async function removeUnanswered(api: DockerApi, spec: NetworkSpec): Promise<void> {
  try {
    const signal = AbortSignal.timeout(BUDGET_MS);
    const owned = await ownedObjects(api, spec.labels, signal);
    for (const { kind, id, name } of owned)
      if (kind === 'network' && name === spec.name) await removeObject(api, { kind, id }, signal);
  } catch {
    // The lost answer is the error that counts; what is left carries labels and is found by them.
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
    withinMs: BUDGET_MS,
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
