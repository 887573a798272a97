import { Client } from 'undici';

/** One request, as undici takes it. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface HttpLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** The requests of a connection, one after the other and over again, each when the last is answered. */
  readonly requestsFor: (connection: number) => readonly LoadRequest[];
  readonly onAnswer?: (connection: number) => void;
}

export interface HttpLoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Sends requests over several connections at once. @throws Error for any answer but 200. */
export async function loadOverHttp(load: HttpLoad): Promise<HttpLoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const connections = Array.from({ length: load.connections }, (_, connection) =>
    exchange(load, connection, endsAt, latencies),
  );
  await Promise.all(connections);
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
  return { perSecond: latencies.length / seconds, p99Ms: Math.round(p99Ms) };
}

/** One connection's share, until the time is over. */
async function exchange(
  { url, requestsFor, onAnswer }: HttpLoad,
  connection: number,
  endsAt: number,
  latencies: number[],
): Promise<void> {
  const requests = requestsFor(connection);
  const client = new Client(url);
  try {
    for (let sent = 0; performance.now() < endsAt; sent += 1) {
      const sentAt = performance.now();
      // The remainder is an index of the list, which has one request at least.
      await ask(client, requests[sent % requests.length] as LoadRequest);
      latencies.push(performance.now() - sentAt);
      onAnswer?.(connection);
    }
  } finally {
    await client.close();
  }
}

/** @returns the body of the answer. @throws Error for any answer but 200. */
export async function ask(client: Pick<Client, 'request'>, request: LoadRequest): Promise<string> {
  const { statusCode, body } = await client.request(request);
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`refused: ${statusCode} ${text}`);
  return text;
}
