import { request } from 'undici';
import type { Connection } from './connection.js';
import type { EgressConnections, Target } from './connections.js';
import { type EgressFailureCode, readFailure } from './failure.js';

/** A request to a target that others gave us. */
export interface Post extends Target {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** No more than this of an answer is read. */
  readonly answerLimitBytes: number;
  /** Aborted when its time is up, or when it is not wanted any more. */
  readonly signal: AbortSignal;
}

/** What was answered, as far as it came or was read. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly remoteAddress: string;
}

/**
 * A request did not come to its end. The error behind it is not kept: the parser's carries what it could not
 * read, and no text of a receiver may reach a log (rules/webhooks 6).
 */
export class PostFailed extends Error {
  constructor(
    message: string,
    readonly code: EgressFailureCode,
    /** Where its head came at least. */
    readonly answer?: PostAnswer,
  ) {
    super(message);
    this.name = 'PostFailed';
  }
}

/**
 * Posts, over a connection of the target's owner alone, follows no redirect, and reads the answer up to its
 * limit. A connection that had been idle, and that the receiver closed at that moment, is no failure: the
 * request is made once more over a new one.
 *
 * @throws PostFailed. @throws Fault where our side failed: the proxy, or this machine.
 */
export async function post(connections: EgressConnections, asked: Post): Promise<PostAnswer> {
  const idle = connections.take(asked, asked.signal);
  const wasUsed = idle.isUsed;
  try {
    return await postOver(idle, connections, asked);
  } catch (error) {
    const isClosing =
      error instanceof PostFailed && error.code === 'reset' && error.answer === undefined;
    if (!wasUsed || !isClosing) throw error;
    return await postOver(connections.take(asked, asked.signal, true), connections, asked);
  }
}

async function postOver(
  connection: Connection,
  connections: EgressConnections,
  { url, headers, body, answerLimitBytes, signal }: Post,
): Promise<PostAnswer> {
  let head: Omit<PostAnswer, 'body'> | undefined;
  const read: Buffer[] = [];
  const answer = () => head && { ...head, body: Buffer.concat(read).subarray(0, answerLimitBytes) };
  try {
    const dispatcher = connection.client;
    const answered = await request(url, { method: 'POST', dispatcher, headers, body, signal });
    const { statusCode: status, headers: answeredHeaders } = answered;
    head = { status, headers: answeredHeaders, remoteAddress: connection.remoteAddress };
    let left = answerLimitBytes;
    for await (const chunk of answered.body) {
      // The client gives the body as bytes.
      read.push(chunk as Buffer);
      left -= (chunk as Buffer).length;
      if (left < 0) break;
    }
    if (left < 0) connections.drop(connection);
    else connections.giveBack(connection);
    return { ...head, body: Buffer.concat(read).subarray(0, answerLimitBytes) };
  } catch (error) {
    connections.drop(connection);
    // What ended the request counts, and not what it looked like from inside.
    const cause: unknown = signal.aborted ? signal.reason : error;
    const { message } = Object(cause) as Partial<Error>;
    throw new PostFailed(message ?? String(cause), readFailure(cause), answer());
  }
}
