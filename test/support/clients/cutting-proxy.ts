import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Stands before a server and takes answers away. */
export interface CuttingProxy {
  readonly baseUrl: string;
  /** How many answers it has taken away. */
  readonly cut: () => number;
  /** Ends the next connections as soon as the server answers: the request was carried out by then. */
  cutNext(count: number): void;
  close(): Promise<void>;
}

/** Listens on loopback, and sends on to another port of it. */
export async function startCuttingProxy(upstreamPort: number): Promise<CuttingProxy> {
  let [left, cut] = [0, 0];
  const server = createServer((caller) => {
    const upstream = connect(upstreamPort, '127.0.0.1');
    const end = () => {
      caller.destroy();
      upstream.destroy();
    };
    for (const socket of [caller, upstream]) socket.on('error', end).on('close', end);
    caller.on('data', (chunk: Buffer) => upstream.write(chunk));
    upstream.on('data', (chunk: Buffer) => {
      if (left === 0) return void caller.write(chunk);
      left -= 1;
      cut += 1;
      end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    cut: () => cut,
    cutNext: (count) => (left = count),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
