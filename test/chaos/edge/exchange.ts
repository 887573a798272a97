import { request } from 'node:http';

/** A request as it goes over the wire: nothing in it is made proper by a client. */
export interface WireRequest {
  readonly method: string;
  /** Path and query; each character is one byte. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly tookMs: number;
}

/** Longer than the API may take for anything it does itself. */
const ANSWER_LIMIT_MS = 60_000;

/**
 * Sends one request on a connection of its own.
 *
 * @throws Error when the connection breaks before the whole answer is there.
 */
export async function exchange(baseUrl: string, wire: WireRequest): Promise<WireAnswer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(baseUrl);
    const headers = wire.headers.some(([name]) => name.toLowerCase() === 'host')
      ? wire.headers
      : [['host', host] as const, ...wire.headers];
    const sent = request({
      hostname,
      port,
      method: wire.method,
      path: wire.target,
      headers: headers.flat(),
      agent: false,
      setHost: false,
    });
    sent.setTimeout(ANSWER_LIMIT_MS, () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode: status = 0, headers: received } = answer;
        const tookMs = performance.now() - startedAt;
        resolve({ status, headers: received, bytes: Buffer.concat(chunks), tookMs });
      });
    });
    sent.end(wire.body);
  });
}
