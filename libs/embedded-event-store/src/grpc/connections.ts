import type { Server as Listener, Socket } from 'node:net';
import type { Server } from '@grpc/grpc-js';

/**
 * All connections of a server. gRPC knows only those whose TLS handshake is over. One that never
 * gets so far would hold up a stop for two minutes, and one that gets there during the stop would
 * never be answered.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();

  /** Called once the server listens. */
  watch(server: Server): void {
    for (const listener of http2Listeners(server)) {
      listener.on('connection', (socket: Socket) => {
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
      });
    }
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * gRPC keeps them to itself. Its version is pinned exactly, and a test stops a server that has such
 * a connection.
 */
function http2Listeners(server: Server): Iterable<Listener> {
  return (
    server as unknown as { http2Servers: ReadonlyMap<Listener, unknown> }
  ).http2Servers.keys();
}
