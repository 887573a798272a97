import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnLoopback } from './listen.js';

/** A port of this machine that nothing listens at, for a program that can't be asked which one it took. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return port;
}
