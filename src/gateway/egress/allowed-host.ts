/** Whether a list of hosts, exact or `*.suffix`, holds this one. Case and a closing dot do not matter; `*.suffix` does not mean the suffix itself. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const name = plainName(host);
  return allowed.map(plainName).some((pattern) => {
    if (!pattern.startsWith('*.')) return name === pattern;
    return name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1;
  });
}

/** Whether the host is on the list by its own name: then it may also lie in a private network. */
export function isListedByName(host: string, allowed: readonly string[]): boolean {
  return allowed.map(plainName).includes(plainName(host));
}

function plainName(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
