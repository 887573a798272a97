import type { Connection, EgressConnections, Target } from './connections.js';
import { type EgressFailureCode, readFailure } from './failure.js';
import { type EgressAnswer, Receipt } from './receipt.js';

/** A request to a target that others gave us. */
interface EgressRequest extends Target {
  /** The rest of its path, with a slash first, as it is sent: the URL is judged and known without it. */
  readonly below?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** No more than this of an answer is read. */
  readonly answerLimitBytes: number;
  /** Aborted when its time is up, or when it is not wanted any more. */
  readonly signal: AbortSignal;
}

export type Post = EgressRequest & { readonly body: string };

/**
 * A request did not come to its end. The error behind it is not kept: the parser's carries the unreadable bytes, and no
 * text of a receiver may reach a log (rules/webhooks 6).
 */
export class RequestFailed extends Error {
  constructor(
    message: string,
    readonly code: EgressFailureCode,
    /** The answer, where its head came at least. */
    readonly answer?: EgressAnswer,
  ) {
    super(message);
    this.name = 'RequestFailed';
  }
}

/**
 * Posts, over a connection of the target's owner alone, follows no redirect, and reads the answer up to its
 * limit. A connection that had been idle, and that the receiver closed at that moment, is no failure: the
 * request is made once more over a new one.
 *
 * @throws RequestFailed. @throws Fault where our side failed: the proxy, or this machine.
 */
export function post(connections: EgressConnections, asked: Post): Promise<EgressAnswer> {
  return send(connections, 'POST', asked);
}

/** Gets, in the same way. @throws as `post`. */
export function get(connections: EgressConnections, asked: EgressRequest): Promise<EgressAnswer> {
  return send(connections, 'GET', asked);
}

type Method = 'GET' | 'POST';
type Asked = EgressRequest & { readonly body?: string };

async function send(
  connections: EgressConnections,
  method: Method,
  asked: Asked,
): Promise<EgressAnswer> {
  const idle = connections.take(asked, asked.signal);
  const wasUsed = idle.isUsed;
  try {
    return await sendOver(idle, connections, method, asked);
  } catch (error) {
    const isClosing =
      error instanceof RequestFailed && error.code === 'reset' && error.answer === undefined;
    if (!wasUsed || !isClosing) throw error;
    const fresh = connections.take(asked, asked.signal, true);
    return await sendOver(fresh, connections, method, asked);
  }
}

async function sendOver(
  connection: Connection,
  connections: EgressConnections,
  method: Method,
  { url, below = '', headers, body, answerLimitBytes, signal }: Asked,
): Promise<EgressAnswer> {
  const receipt = new Receipt(connection, answerLimitBytes);
  try {
    const options = {
      method,
      path: goOn(new URL(url), below),
      headers,
      body: body ?? null,
      signal,
    };
    const answer = await receipt.read(await connection.client.request(options));
    connections.answered(connection);
    if (receipt.isWhole) connections.giveBack(connection);
    else connections.drop(connection);
    return answer;
  } catch (error) {
    connections.drop(connection);
    // The signal that ended the request counts, and not the error inside.
    const cause: unknown = signal.aborted ? signal.reason : error;
    const { message } = Object(cause) as Partial<Error>;
    throw new RequestFailed(message ?? String(cause), readFailure(cause), receipt.soFar);
  }
}

/** Of an origin alone, the path is a slash. */
function goOn({ pathname, search }: URL, below: string): string {
  const path = `${pathname}${search}`;
  return below !== '' && path.endsWith('/') ? `${path.slice(0, -1)}${below}` : `${path}${below}`;
}
