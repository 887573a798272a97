import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually.js';

const LIMIT_MS = 180_000;
const DEAD = '/dead';

/** The endpoints of all merchants. Each path is one of them. */
export interface DeliveryReceiver {
  readonly url: string;
  /** Never answers. */
  readonly deadUrl: string;
  /** When each message first came, by `<path> <subject> <number>`, on this process' clock. */
  readonly arrivedAtMs: ReadonlyMap<string, number>;
  readonly received: () => number;
  /** The body that came last. */
  readonly lastBody: () => string;
  /** Waits until all of these came. @returns when the last of them did. */
  until(messages: readonly string[]): Promise<number>;
  untilCount(count: number): Promise<void>;
  close(): void;
}

export async function startDeliveryReceiver(): Promise<DeliveryReceiver> {
  const arrivedAtMs = new Map<string, number>();
  let received = 0;
  let lastBody = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === DEAD) return;
      response.writeHead(204).end();
      lastBody = Buffer.concat(chunks).toString();
      const key = nameMessage(request, lastBody);
      if (!arrivedAtMs.has(key)) arrivedAtMs.set(key, performance.now());
      received += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    deadUrl: `http://127.0.0.1:${port}${DEAD}`,
    ...{ arrivedAtMs, received: () => received, lastBody: () => lastBody },
    until: async (messages) => {
      let missing = 0;
      const areThere = () => {
        while (missing < messages.length && arrivedAtMs.has(messages[missing] ?? '')) missing += 1;
        return missing === messages.length;
      };
      await eventually(areThere, { what: 'the messages', limitMs: LIMIT_MS });
      return Math.max(...messages.map((message) => arrivedAtMs.get(message) ?? 0));
    },
    untilCount: (count) =>
      eventually(() => received >= count, {
        what: `${count} requests`,
        limitMs: LIMIT_MS,
        longestPollMs: 2,
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The subject stands first in the message's data. */
function nameMessage({ url = '', headers }: IncomingMessage, body: string): string {
  const from = body.indexOf('"id":"') + '"id":"'.length;
  const subject = body.slice(from, body.indexOf('"', from));
  return `${url} ${subject} ${String(headers['service-event-sequence'])}`;
}
