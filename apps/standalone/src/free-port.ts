import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { StartRefused } from './data-dir.js';

/** Two free ports on this machine, to be kept over restarts of the programs that will listen on them. */
export async function freePorts(): Promise<[number, number]> {
  // Both are held until both are known, or they might be the same.
  const servers = await Promise.all([listen(0, '127.0.0.1'), listen(0, '127.0.0.1')]);
  const [first, second] = await Promise.all(servers.map(release));
  return [first ?? 0, second ?? 0];
}

/** The wanted port, or a free one for 0. @throws StartRefused when it is taken or not ours to take. */
export async function usablePort(port: number, host: string): Promise<number> {
  try {
    return await release(await listen(port, host));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const why =
      code === 'EADDRINUSE'
        ? `port ${port} is in use by another program`
        : `${host}:${port} cannot be listened at (${String(code)})`;
    throw new StartRefused(
      `The API cannot start: ${why}. Set PORT to another one; 0 picks a free one.`,
    );
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
