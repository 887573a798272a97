import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { StartRefused } from './data-dir.js';

/**
 * Below the ports that systems hand out to passing connections: one that is free now would else be
 * taken by another program before the one that is to listen there has loaded.
 */
const [LOWEST_PORT, HIGHEST_PORT] = [20_000, 32_767];
const ATTEMPTS = 50;

/** Three free ports on this machine, to be kept over restarts of the programs that will listen on them. */
export async function freePorts(): Promise<[number, number, number]> {
  // All are held until all are known, or two might be the same.
  const servers = await Promise.all(Array.from({ length: 3 }, () => listenAnywhere('127.0.0.1')));
  const [first = 0, second = 0, third = 0] = await Promise.all(servers.map(release));
  return [first, second, third];
}

/** A service that listens at a port, and the variable of the port. */
interface Listener {
  readonly name: string;
  readonly variable: string;
}

/** The wanted port, or a free one for 0. @throws StartRefused when it is taken or not ours to take. */
export async function usablePort(
  port: number,
  host: string,
  { name, variable }: Listener,
): Promise<number> {
  try {
    return await release(await (port === 0 ? listenAnywhere(host) : listen(port, host)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EADDRINUSE'
        ? `port ${port} is in use by another program`
        : `${host}:${port} cannot be listened at (${String(code)})`;
    throw new StartRefused(
      `The ${name} cannot start: ${why}. Set ${variable} to another one; 0 picks a free one.`,
    );
  }
}

async function listenAnywhere(host: string): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listen(randomInt(LOWEST_PORT, HIGHEST_PORT + 1), host);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}

/** Gives a port back. @returns its number. */
async function release(server: Server): Promise<number> {
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
