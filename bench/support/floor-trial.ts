import type { Duplex } from 'node:stream';
import type { RecordedCall } from './call-recorder.ts';
import type { ThinClient, WireRequest } from './thin-client.ts';

/**
 * Makes the calls of a recorded trial again, one after the other and with the same bytes, on containers of its own: what the engine itself
 * takes. `unique` keeps names apart. Only the two calls that last as long as a main process (attach, wait) run beside the others.
 */
export async function floorTrial(
  client: ThinClient,
  calls: readonly RecordedCall[],
  unique: string,
): Promise<void> {
  const ids = new Map<string, string>();
  let output: Promise<void> = Promise.resolve();
  let exit: Promise<void> = Promise.resolve();
  for (const call of calls) {
    const wire = { ...call, path: onOwnContainers(call.path, ids, unique) };
    if (call.hijacked) output = drained(await client.hijack(wire));
    else if (/\/wait(\?|$)/.test(call.path)) exit = repeated(client, wire, call, ids);
    else {
      // Whatever comes after a start needs the main process to have ended.
      if (!/\/start$/.test(call.path)) await Promise.all([output, exit]);
      await repeated(client, wire, call, ids);
    }
  }
}

function onOwnContainers(path: string, ids: ReadonlyMap<string, string>, unique: string): string {
  const own = path.replace(/[0-9a-f]{64}/, (id) => ids.get(id) ?? id);
  return own.replace(/^(\/containers\/create\?name=[^&]+)/, `$1-${unique}`);
}

async function repeated(
  client: ThinClient,
  wire: WireRequest,
  call: RecordedCall,
  ids: Map<string, string>,
): Promise<void> {
  const { status, body } = await client.send(wire);
  if (status !== call.status) {
    throw new Error(`${wire.method} ${wire.path}: ${status} instead of ${call.status}: ${body}`);
  }
  if (call.createdId !== undefined)
    ids.set(call.createdId, (JSON.parse(body.toString()) as { Id: string }).Id);
}

function drained(stream: Duplex): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream
    .on('error', () => undefined)
    .on('close', resolve)
    .resume();
  stream.on('end', () => stream.destroy());
  return promise;
}
