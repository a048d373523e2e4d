/**
 * What a program in the agent's container can reach. Prints a line `<what> <answer>` each: the gateway, two servers beside it straight and
 * by the proxy that the environment names, and whether there is a way out at all.
 */
const PROBE = `
import concurrent.futures, os, socket, urllib.request, urllib.error
straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
proxied = urllib.request.build_opener()
def ask(opener, url, headers={}):
    try:
        return str(opener.open(urllib.request.Request(url, headers=headers), timeout=4).status)
    except urllib.error.HTTPError as error:
        return str(error.code)
    except OSError:
        return "no"
def outside():
    try:
        host, port = os.environ["OUTSIDE"].rsplit(":", 1)
        socket.create_connection((host, int(port)), 8).close()
        return "yes"
    except OSError:
        return "no"
asked = []
gateway = os.environ.get("GATEWAY", "")
if gateway:
    for name, key in (("gateway", os.environ["TOKEN"]), ("stranger", "nobody")):
        asked.append((name, ask, straight, gateway + "/v1/models", {"authorization": "Bearer " + key}))
for name in ("ALLOWED", "OTHER"):
    url = "http://" + os.environ[name] + ":8000/"
    asked.append((name + " straight", ask, straight, url))
    asked.append((name + " proxied", ask, proxied, url))
asked.append(("way out", outside))
with concurrent.futures.ThreadPoolExecutor(len(asked)) as pool:
    answers = [(name, pool.submit(*what)) for name, *what in asked]
for name, answer in answers:
    print(name, answer.result())
`;

/** `host:port` of an address. */
export function placeOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`;
}

/** Where a probe tries to get. */
export interface Places {
  readonly allowed: string;
  readonly other: string;
  /** `host:port` that set-up itself has reached. */
  readonly outside: string;
}

/** Manifest of a harness that only looks round. `more`: further lines; with any it is one that has a model. */
export function probeHarness(places: Places, more: string): string {
  const { allowed, other, outside } = places;
  const id = more === '' ? 'plain' : 'probe';
  const own = more === '' ? '' : '  GATEWAY: "{gateway}"\n  TOKEN: "{token}"\n';
  return `schemaVersion: 1
id: ${id}
version: 1.0.0
title: Looks round
command: [python3, -c, ${JSON.stringify(PROBE)}]
env:
  ALLOWED: "${allowed}"
  OTHER: "${other}"
  OUTSIDE: "${outside}"
${own}discovery: { home: [.agents/skills], project: [], system: [] }
bundle: false
trajectory: none
${more}`;
}
