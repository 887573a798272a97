import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** What a connection sends, one after the other and over again, each request when the last is answered. */
  readonly requestsFor: (connection: number) => readonly Buffer[];
  readonly onAnswer: (connection: number) => void;
}

export interface HttpLoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = 'content-length: ';
/** An answer comes whole: it is far smaller than this, and written at once. */
const ANSWER_BYTES = 64 * 1024;

/**
 * Sends requests that were written beforehand, and reads of the answers no more than their status and
 * length: it knows answers that come in one piece and nothing else. The generator shares the processors
 * with the programs under load, so it must be cheap: autocannon takes as long for a request as the
 * event store does for an append. `convert`, whose answers are larger, uses autocannon.
 *
 * @throws Error for any answer but 200.
 */
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
function exchange(
  { url, requestsFor: requestsOf, onAnswer }: HttpLoad,
  connection: number,
  endsAt: number,
  latencies: number[],
): Promise<void> {
  const { hostname, port } = new URL(url);
  const requests = requestsOf(connection);
  return new Promise((resolve, reject) => {
    let sent = 0;
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(requests[sent++ % requests.length] ?? '');
    };
    const buffer = Buffer.allocUnsafe(ANSWER_BYTES);
    const answered = (bytes: number): boolean => {
      const refusal = refusalIn(buffer.toString('latin1', 0, bytes));
      if (refusal !== undefined) {
        socket.destroy(new Error(refusal));
        return false;
      }
      const now = performance.now();
      latencies.push(now - sentAt);
      onAnswer(connection);
      if (now < endsAt) send();
      else socket.destroy();
      return true;
    };
    const onread = { buffer, callback: answered };
    const options = { host: hostname, port: Number(port), noDelay: true, onread };
    const socket: Socket = connect(options, send);
    socket.on('error', reject).on('close', () => resolve());
  });
}

/** What is wrong with an answer; undefined for a whole one with status 200. */
function refusalIn(answer: string): string | undefined {
  if (!answer.startsWith('HTTP/1.1 200 ')) return `refused: ${answer}`;
  const bodyAt = answer.indexOf(HEAD_END) + HEAD_END.length;
  const length = parseInt(answer.slice(answer.indexOf(LENGTH) + LENGTH.length), 10);
  return bodyAt + length === answer.length ? undefined : `not one whole answer: ${answer}`;
}
