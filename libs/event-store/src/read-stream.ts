import { ErrorType, type EventStoreDBClient, isCommandError } from '@eventstore/db-client';
import commandErrors from '@eventstore/db-client/dist/utils/CommandError.js';
import type { RecordedEvent } from '#domain/event';
import { Fault, retry } from '#platform';
import type { Codec } from './codec.js';
import { toFault } from './errors.js';
import type { ReadOptions } from './event-store.js';
import { LEADER_MOVE_BASE_MS, LEADER_MOVE_CAP_MS, LEADER_MOVES } from './limits.js';
import { ReadCall } from './read-call.js';
import { streamRequest } from './verbatim/read-requests.js';

/**
 * See `EventStore.readStream`. The leader is asked, since another node may be behind; a node that is it no more
 * names the one that is, and the client asks there next.
 */
export async function* readStream(
  client: EventStoreDBClient,
  codec: Codec,
  streamName: string,
  options: ReadOptions = {},
): AsyncGenerator<RecordedEvent, void, undefined> {
  let left = options.maxCount ?? Number.MAX_SAFE_INTEGER;
  let hasMore = true;
  const begun = await beginRead(client, streamName, { ...options, maxCount: left });
  const { call } = begun;
  try {
    for (let { answers } = begun; answers.length > 0; answers = await call.next()) {
      for (const answer of answers) {
        if (answer.kind !== 'event') continue;
        left -= 1;
        hasMore = left > 0;
        yield codec.decode(answer.event);
      }
    }
  } catch (error) {
    hasMore = true;
    throw asFault(error, streamName);
  } finally {
    call.leave(hasMore);
  }
}

/** Nothing was read of a node that refused, so that another one may be asked for all of it. */
function beginRead(
  client: EventStoreDBClient,
  streamName: string,
  options: ReadOptions & { readonly maxCount: number },
) {
  const begin = async () => {
    try {
      const call = await ReadCall.open(client, streamRequest(streamName, options));
      return { call, answers: await firstAnswers(call) };
    } catch (error) {
      throw asFault(error, streamName);
    }
  };
  return retry(begin, {
    attempts: 1 + LEADER_MOVES,
    baseMs: LEADER_MOVE_BASE_MS,
    capMs: LEADER_MOVE_CAP_MS,
    isRetryable: (error) => error instanceof Fault && isNotLeader(error.cause),
  });
}

async function firstAnswers(call: ReadCall) {
  try {
    return await call.next();
  } catch (error) {
    call.leave(true);
    throw error;
  }
}

function isNotLeader(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.type === ErrorType.NOT_LEADER;
}

function asFault(error: unknown, streamName: string): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error;
  return toFault(commandErrors.convertToCommandError(error), `reading ${streamName}`);
}
