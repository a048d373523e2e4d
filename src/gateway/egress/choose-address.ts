import { isIP } from 'node:net';
import { isAllowedHost, isListedByName } from './allowed-host.ts';
import { addressKind } from './public-address.ts';

/** Finds the addresses of a name. Rejects where there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Whom an attempt may reach, and what is this host. */
export interface EgressPolicy {
  readonly allowHosts: readonly string[];
  /** Addresses of this host. */
  readonly ownAddresses: readonly string[];
  readonly lookup: Lookup;
}

/** Where to connect, or why not. */
export type Chosen = { readonly address: string } | { readonly refusal: string; readonly status: 403 | 502 };

/**
 * Decides by name and then by address. The connection goes to the address that was looked at, so that a name cannot mean another one a
 * moment later. Private addresses are for hosts that are listed by their own name; this host is for nobody.
 */
export async function chooseAddress(host: string, policy: EgressPolicy): Promise<Chosen> {
  if (!isAllowedHost(host, policy.allowHosts)) {
    return { status: 403, refusal: `${host} is not among the hosts that the task allows` };
  }
  let addresses: readonly string[];
  try {
    const bare = host.replace(/^\[|\]$/g, '');
    addresses = isIP(bare) === 0 ? await policy.lookup(bare) : [bare];
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { status: 502, refusal: `${host} has no address: ${said}` };
  }
  const listed = isListedByName(host, policy.allowHosts);
  const address = addresses.find((candidate) => {
    const kind = addressKind(candidate);
    if (kind === 'never' || policy.ownAddresses.includes(candidate)) return false;
    return kind === 'public' || listed;
  });
  if (address !== undefined) return { address };
  return { status: 403, refusal: `${host} is at ${addresses.join(', ')}: no address that a task may reach` };
}
