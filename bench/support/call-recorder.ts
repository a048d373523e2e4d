import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { WireRequest } from './thin-client.ts';

/** A call that the product made, with what came back. */
export interface RecordedCall extends WireRequest {
  /** The connection was taken over (attach). */
  readonly hijacked: boolean;
  readonly startedAtMs: number;
  /** Absent while under way; for a hijacked call when the connection closed. */
  endedAtMs?: number;
  status?: number;
  /** The container that a create call made. */
  createdId?: string;
}

/** Stands between the product and the engine's socket and notes every call. Disposing closes it. */
export interface CallRecorder extends AsyncDisposable {
  readonly address: string;
  /** The calls since the last time, in the order in which they began. */
  take(): RecordedCall[];
}

/** Listens at `socketPath` and passes everything on to `enginePath`. */
export async function makeCallRecorder(socketPath: string, enginePath: string): Promise<CallRecorder> {
  let calls: RecordedCall[] = [];
  const server = createServer((incoming, outgoing) => {
    forward({ incoming, outgoing, enginePath }, (call) => calls.push(call)).catch((error: unknown) =>
      outgoing.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    calls.push(tunnel(incoming, socket, { head, enginePath }));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    address: `unix://${socketPath}`,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function begun(incoming: IncomingMessage, body: Buffer, hijacked: boolean): RecordedCall {
  const type = incoming.headers['content-type'];
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: type === undefined ? {} : { 'content-type': type },
    body,
    hijacked,
    startedAtMs: performance.now(),
  };
}

async function forward(
  {
    incoming,
    outgoing,
    enginePath,
  }: { incoming: IncomingMessage; outgoing: ServerResponse; enginePath: string },
  note: (call: RecordedCall) => void,
): Promise<void> {
  const call = begun(incoming, await buffer(incoming), false);
  note(call);
  const { method, path, headers, body } = call;
  const length = { 'content-length': body.byteLength };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const onward = request(
    { socketPath: enginePath, method, path, headers: { ...headers, ...length } },
    resolve,
  );
  onward.on('error', reject);
  onward.end(body);
  const answer = await promise;
  const content = await buffer(answer);
  call.status = answer.statusCode ?? 0;
  call.endedAtMs = performance.now();
  if (path.startsWith('/containers/create')) {
    call.createdId = (JSON.parse(content.toString()) as { Id: string }).Id;
  }
  const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...kept } = answer.headers;
  outgoing.writeHead(call.status, { ...kept, 'content-length': content.byteLength });
  outgoing.end(content);
}

function tunnel(
  incoming: IncomingMessage,
  socket: Socket,
  { head, enginePath }: { head: Buffer; enginePath: string },
): RecordedCall {
  const call = begun(incoming, Buffer.alloc(0), true);
  const onward = connect(enginePath);
  const lines = incoming.rawHeaders.flatMap((name, place, all) =>
    place % 2 === 0 ? [`${name}: ${all[place + 1]}`] : [],
  );
  onward.write(`${call.method} ${call.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  onward.write(head);
  onward.pipe(socket).pipe(onward);
  for (const end of [onward, socket]) {
    end.on('error', () => undefined);
    end.on('close', () => {
      call.endedAtMs ??= performance.now();
      onward.destroy();
      socket.destroy();
    });
  }
  return call;
}
