import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Purchases } from './purchases.js';

/** Its account at the gateway answers late; the sandbox captures it. */
export const SLOW_CARD = 'pm_renewal_declines';
export const SLOW_ANSWER_MS = 10_000;

/** Receivers of merchants: that of the quiet app says when a purchase was sent to it. */
export interface Receiver {
  readonly url: string;
  readonly otherUrl: string;
  /** Never answers. */
  readonly deadUrl: string;
  /** Resolves when the next purchase of the quiet app has its webhook. */
  nextPurchase(): Promise<void>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  let arrive: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/dead') return;
      response.writeHead(204).end();
      if (request.url !== '/quiet') return;
      if (Buffer.concat(chunks).includes('"type":"subscription.created"')) arrive();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/quiet`,
    otherUrl: `http://127.0.0.1:${port}/other`,
    deadUrl: `http://127.0.0.1:${port}/dead`,
    nextPurchase: () => new Promise<void>((resolve) => (arrive = resolve)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** One purchase after the other. @returns how long each took from the click to its webhook, in ms. */
export async function buyOneByOne(
  quiet: Purchases,
  receiver: Receiver,
  count: number,
): Promise<number[]> {
  const tookMs: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAtMs = performance.now();
    const arrived = receiver.nextPurchase();
    await quiet.buyOne();
    await arrived;
    tookMs.push(performance.now() - startedAtMs);
  }
  return tookMs;
}
