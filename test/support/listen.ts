import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has a server listen on loopback. @returns its port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port;
}
