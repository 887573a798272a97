import { createServer, type IncomingMessage } from 'node:http';
import { listenOnLoopback } from '../support/listen.js';

const DEAD = '/dead';

/** The endpoints of all merchants, each path one of them. All but one answer at once. */
export interface Receiver {
  readonly url: string;
  /** Never answers. */
  readonly deadUrl: string;
  /** How many were answered. */
  received(): number;
  /** Resolves when so many were answered. */
  until(count: number): Promise<void>;
  close(): void;
}

/** @param hear gets each message after its answer; without it no body is kept. */
export async function startReceiver(
  hear?: (request: IncomingMessage, body: string) => void,
): Promise<Receiver> {
  let received = 0;
  let onReceived: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    if (hear !== undefined) request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.resume().on('end', () => {
      if (request.url === DEAD) return;
      response.writeHead(204).end();
      received += 1;
      hear?.(request, Buffer.concat(chunks).toString());
      onReceived();
    });
  });
  const port = await listenOnLoopback(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, deadUrl: `${url}${DEAD}`, received: () => received },
    until: async (count) => {
      while (received < count) await new Promise<void>((resolve) => (onReceived = resolve));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
