import { createServer } from 'node:net';
import { StartRefused } from './data-dir.js';

/** A free port on this machine, to be kept over restarts of the program that will listen on it. */
export async function freePort(): Promise<number> {
  return reserve(0, '127.0.0.1');
}

/** The wanted port, or a free one for 0. @throws StartRefused when it is taken or not ours to take. */
export async function usablePort(port: number, host: string): Promise<number> {
  try {
    return await reserve(port, host);
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

function reserve(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}
