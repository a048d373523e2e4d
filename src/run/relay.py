"""Joins one address of the engine's host to one port of the runner's, byte for byte, and does nothing else.

Started with: address to listen on, port of the gateway, path of the knock, and the names to try for the runner's host.
The first that answers the knock is the gateway; that connection stays open, and when it ends, so does this program.
"""

import asyncio
import resource
import socket
import struct
import sys

# What is held for each direction of a connection whose receiver is slow: a small multiple of this.
CHUNK = 2**16
KNOCK_SECONDS = 5
RESET = struct.pack("ii", 1, 0)


async def pump(reader, writer):
    """Passes on what comes as it comes, no faster than it is taken, and the sender's end as an end."""
    while chunk := await reader.read(CHUNK):
        writer.write(chunk)
        await writer.drain()
    writer.write_eof()


def break_off(writer):
    """A connection that broke must not look like one that ended."""
    sock = writer.get_extra_info("socket")
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    except OSError:
        pass
    writer.transport.abort()


def settle(writer):
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


async def join(gateway, reader, writer):
    try:
        there_reader, there_writer = await asyncio.open_connection(*await gateway, limit=CHUNK)
    except OSError:
        break_off(writer)
        return
    pumps = [
        asyncio.ensure_future(pump(reader, there_writer)),
        asyncio.ensure_future(pump(there_reader, writer)),
    ]
    try:
        settle(writer)
        settle(there_writer)
        await asyncio.gather(*pumps)
        writer.close()
        there_writer.close()
    except OSError:
        break_off(writer)
        break_off(there_writer)
    finally:
        for one in pumps:
            one.cancel()


async def knock(host, port, path):
    reader, writer = await asyncio.open_connection(host, port)
    settle(writer)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: gateway\r\n\r\n".encode())
    status = await reader.readline()
    if b" 200 " not in status:
        writer.close()
        raise OSError("somebody else answers there")
    return reader, writer


async def find_gateway(hosts, port, path):
    for host in hosts:
        try:
            opened = await asyncio.wait_for(knock(host, port, f"{path}&through={host}"), KNOCK_SECONDS)
            return host, opened
        except asyncio.TimeoutError:
            print(f"{host}:{port}: no answer within {KNOCK_SECONDS} s", file=sys.stderr)
        except OSError as error:
            print(f"{host}:{port}: {error}", file=sys.stderr)
    return None


async def main(address, port, path, *hosts):
    # Who comes before it is found waits for it.
    gateway = asyncio.get_running_loop().create_future()

    def serve(reader, writer):
        return join(gateway, reader, writer)

    try:
        server = await asyncio.start_server(serve, address, 0, limit=CHUNK, backlog=1024)
    except OSError as error:
        print(f"cannot listen on {address}: {error}", file=sys.stderr)
        return 3
    own = server.sockets[0].getsockname()[1]
    found = await find_gateway(hosts, int(port), f"{path}?port={own}")
    if found is None:
        return 4
    host, (reader, _writer) = found
    gateway.set_result((host, int(port)))
    while await reader.read(CHUNK):
        pass
    return 0


_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
sys.exit(asyncio.run(main(*sys.argv[1:])))
