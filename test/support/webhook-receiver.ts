import { createServer, type IncomingHttpHeaders } from 'node:http';
import { eventually } from './eventually.js';
import { listenOnLoopback } from './listen.js';

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** The webhooks of a thing, or of a subscription's parts, in their order. */
  sentFor(id: string): readonly ReceivedWebhook[];
  /** The types of these. */
  typesSentFor(id: string): string[];
  /** The answers to give, by default 204 to everything; undefined for none. */
  answerWith(status: (webhook: ReceivedWebhook) => number | undefined): void;
  /** Waits until the received webhooks meet a condition. */
  until(condition: (received: readonly ReceivedWebhook[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** A merchant's receiver on this machine. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let chooseStatus: (webhook: ReceivedWebhook) => number | undefined = () => 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const sent = JSON.parse(bytes.toString()) as Pick<ReceivedWebhook, 'type'>;
      // A message of the family v1 has its fields elsewhere.
      const { type, data } = { data: {}, ...sent };
      const webhook = { headers: request.headers, bytes, type, data };
      received.push(webhook);
      const status = chooseStatus(webhook);
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  const port = await listenOnLoopback(server);
  const sentFor = (id: string) =>
    received.filter(({ data }) => [data['id'], data['subscription_id']].includes(id));
  return {
    sentFor,
    typesSentFor: (id) => sentFor(id).map(({ type }) => type),
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    answerWith: (status) => void (chooseStatus = status),
    until: (condition) => eventually(() => condition(received), { what: 'the webhooks' }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
