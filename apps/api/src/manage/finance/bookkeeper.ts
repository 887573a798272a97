import { get as getPlainly, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getSecurely } from 'node:https';
import { json } from 'node:stream/consumers';
import {
  type BookkeeperTask,
  type CountedClose,
  FinanceRefusal,
  printTask,
  signQuestion,
} from '#finance';
import { ApiError } from '#nest';
import { assertDefect, Fault } from '#platform';
import { isRefusalReason, toApiError } from './finance-errors.js';

/** A bookkeeper of this network takes a connection in milliseconds. */
const CONNECT_LIMIT_MS = 3_000;
/** Longer than a bookkeeper works on a report. */
const ANSWER_LIMIT_MS = 610_000;
/** By then a small report has ended. */
const BUSY_RETRY_MS = 5_000;

/** A bookkeeper, which alone loads DuckDB: any one answers (rules/finance 12). */
export class Bookkeeper {
  /** @param keys under which questions are signed; the present one first. */
  constructor(
    private readonly url: string | undefined,
    private readonly keys: () => readonly Buffer[],
  ) {}

  /**
   * Hands a task on.
   *
   * @returns the bytes of its answer, which break off where the bookkeeper cannot go on. @param signal ends the work.
   * @throws ApiError for a task that is refused, and where no bookkeeper answers; Fault.
   */
  async ask(task: BookkeeperTask, signal: AbortSignal): Promise<IncomingMessage> {
    if (this.url === undefined) throw noBookkeeper('no bookkeeper is named: set BOOKKEEPER_URL');
    const path = printTask(task);
    const [key] = this.keys();
    assertDefect(key !== undefined, 'there is a master key');
    const response = await send(`${this.url}${path}`, {
      headers: { authorization: signQuestion(key, path, Date.now()) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]),
    });
    if (response.statusCode === 200) return response;
    throw await readError(response);
  }

  /** The figures of a period that is to be closed. @throws as `ask`. */
  async count(app: string, period: string, signal: AbortSignal): Promise<CountedClose> {
    const answer = await this.ask({ app, kind: 'count', period }, signal);
    try {
      // A bookkeeper counts so.
      return (await json(answer)) as CountedClose;
    } catch (error) {
      if (signal.aborted) throw error;
      throw noBookkeeper('the one that was asked has broken off');
    }
  }
}

async function send(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const get = url.startsWith('https:') ? getSecurely : getPlainly;
  return new Promise((resolve, reject) => {
    const request = get(url, options, resolve);
    const late = setTimeout(() => request.destroy(new Error('no connection')), CONNECT_LIMIT_MS);
    request.once('socket', (socket) => {
      if (!socket.connecting) clearTimeout(late);
      else socket.once('connect', () => clearTimeout(late));
    });
    request.once('error', ({ message }) => {
      clearTimeout(late);
      reject(noBookkeeper(`none answers at BOOKKEEPER_URL (${message})`));
    });
  });
}

async function readError(response: IncomingMessage): Promise<Error> {
  const { statusCode } = response;
  // A bookkeeper answers with an object.
  const { reason = '', message = '' } = (await json(response).catch(() => ({}))) as {
    readonly reason?: string;
    readonly message?: string;
  };
  if (statusCode === 409 && isRefusalReason(reason)) {
    return toApiError(new FinanceRefusal(reason, message));
  }
  if (statusCode === 429) return tooMany();
  if (statusCode === 503) {
    return new Fault('unavailable', 'the bookkeeper does not reach the store', { retryable: true });
  }
  if (statusCode === 401) return noBookkeeper('it has another MASTER_KEY, or another time');
  if (statusCode === 404) return noBookkeeper('the one that answers is of another release');
  return new Error(`the bookkeeper answered ${statusCode}`);
}

function noBookkeeper(why: string): ApiError {
  return new ApiError('UNAVAILABLE', {
    reason: 'NO_BOOKKEEPER',
    message: `Books are read by a bookkeeper, and ${why}.`,
    retryAfterMs: BUSY_RETRY_MS,
  });
}

function tooMany(): ApiError {
  return new ApiError('RESOURCE_EXHAUSTED', {
    reason: 'TOO_MANY_REPORTS',
    message: 'As many reports as may be are written already. Try again when one has ended.',
    retryAfterMs: BUSY_RETRY_MS,
  });
}
