import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** What a connection sends, one after the other and over again, each request when the last is answered. */
  readonly requestsFor: (connection: number) => readonly Buffer[];
  readonly onAnswer?: (connection: number) => void;
}

export interface HttpLoadResult {
  readonly perSecond: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = 'content-length: ';
/** What is read at once; an answer may come in several pieces. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends requests that were written beforehand, and reads of the answers no more than their status and
 * length. The generator shares the processors with the programs under load, so it must be cheap:
 * autocannon takes as long for a request as the event store does for an append.
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
  { url, requestsFor, onAnswer }: HttpLoad,
  connection: number,
  endsAt: number,
  latencies: number[],
): Promise<void> {
  const { hostname, port } = new URL(url);
  const requests = requestsFor(connection);
  return new Promise((resolve, reject) => {
    let sent = 0;
    let sentAt = 0;
    /** Bytes of the answer that are still to come. */
    let missing = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(requests[sent++ % requests.length] ?? '');
    };
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    const received = (bytes: number): boolean => {
      try {
        missing = missing > 0 ? missing - bytes : readLength(buffer, bytes) - bytes;
        if (missing < 0) throw new Error('more came than one answer');
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
        return false;
      }
      if (missing > 0) return true;
      const now = performance.now();
      latencies.push(now - sentAt);
      onAnswer?.(connection);
      if (now < endsAt) send();
      else socket.destroy();
      return true;
    };
    const onread = { buffer, callback: received };
    const options = { host: hostname, port: Number(port), noDelay: true, onread };
    const socket: Socket = connect(options, send);
    socket.on('error', reject).on('close', () => resolve());
  });
}

/** The length of an answer with its head, which comes whole. @throws Error for any answer but 200. */
function readLength(buffer: Buffer, bytes: number): number {
  const end = buffer.subarray(0, bytes).indexOf(HEAD_END);
  const head = buffer.toString('latin1', 0, end === -1 ? bytes : end);
  if (end === -1 || !head.startsWith('HTTP/1.1 200 ')) {
    throw new Error(`refused: ${buffer.toString('latin1', 0, bytes)}`);
  }
  const length = parseInt(head.slice(head.indexOf(LENGTH) + LENGTH.length), 10);
  return end + HEAD_END.length + length;
}
