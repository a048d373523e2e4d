import { BlockList, isIP } from 'node:net';

/** Networks that are not the internet: this host, its neighbours, and what routers keep for themselves. */
const NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const notPublic = listOf(NOT_PUBLIC);
/** Never reached, whatever is listed: the host itself, and the metadata services of clouds. */
const never = listOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['::', 128],
  ['::1', 128],
  ['fe80::', 10],
]);

/** What an address is to a container that wants to reach it. IPv4 addresses written as IPv6 are what they stand for. */
export function addressKind(address: string): 'public' | 'private' | 'never' {
  if (isIn(never, address)) return 'never';
  return isIn(notPublic, address) ? 'private' : 'public';
}

function listOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks)
    list.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4');
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  // What is no address at all is nobody's to reach.
  if (family === 0) return true;
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
