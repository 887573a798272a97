import {
  BACKWARDS,
  END,
  ErrorType,
  type EventStoreDBClient,
  FORWARDS,
  isCommandError,
  START,
} from '@eventstore/db-client';
import type { RecordedEvent } from '#domain/event';
import { Fault, retry, withTimeLimit } from '#platform';
import type { Codec } from './codec.js';
import { toFault } from './errors.js';
import type { ReadOptions } from './event-store.js';
import { LEADER_MOVE_BASE_MS, LEADER_MOVE_CAP_MS, LEADER_MOVES, READ_IDLE_MS } from './limits.js';

/**
 * See `EventStore.readStream`. The leader is asked, since another node may be behind; a node that is it no more
 * names the one that is, and the client asks there next.
 */
export async function* readStream(
  ...read: Parameters<typeof readOnce>
): AsyncGenerator<RecordedEvent, void, undefined> {
  const begin = async () => {
    const events = readOnce(...read);
    return { events, first: await events.next() };
  };
  // Nothing was read of a node that refused, so that another one may be asked for all of it.
  const { events, first } = await retry(begin, {
    attempts: 1 + LEADER_MOVES,
    baseMs: LEADER_MOVE_BASE_MS,
    capMs: LEADER_MOVE_CAP_MS,
    isRetryable: (error) => error instanceof Fault && isOfType(error.cause, ErrorType.NOT_LEADER),
  });
  if (first.done === true) return;
  try {
    yield first.value;
    yield* events;
  } finally {
    await events.return();
  }
}

async function* readOnce(
  client: EventStoreDBClient,
  codec: Codec,
  streamName: string,
  options: ReadOptions = {},
): AsyncGenerator<RecordedEvent, void, undefined> {
  const read = openRead(client, streamName, options);
  const events = read[Symbol.asyncIterator]();
  let isDone = false;
  let left = options.maxCount ?? Infinity;
  try {
    for (;;) {
      const next = await withTimeLimit(events.next(), READ_IDLE_MS, 'the event store');
      if (next.done === true) {
        isDone = true;
        return;
      }
      left -= 1;
      if (next.value.event) yield codec.decode(next.value.event, next.value.event.position);
    }
  } catch (error) {
    if (!isOfType(error, ErrorType.STREAM_NOT_FOUND)) throw toFault(error, `reading ${streamName}`);
    isDone = true;
  } finally {
    if (!isDone) leave(read, left > 0);
  }
}

type Read = ReturnType<EventStoreDBClient['readStream']>;

function openRead(client: EventStoreDBClient, streamName: string, options: ReadOptions): Read {
  const { fromRevision, maxCount, backwards = false } = options;
  const edge = backwards ? END : START;
  return client.readStream(streamName, {
    direction: backwards ? BACKWARDS : FORWARDS,
    fromRevision: fromRevision === undefined ? edge : BigInt(fromRevision),
    requiresLeader: true,
    ...(maxCount !== undefined && { maxCount }),
  });
}

/**
 * Leaving a read half-way closes the client's end of it only; the call itself has to be cancelled, unless
 * the store is about to end it anyway. A cancelled call is answered all the same, and Node ends a
 * connection after a thousand frames that came too late.
 */
function leave(read: Read, hasMore: boolean): void {
  // Errors after we left are of no interest; without a listener they would end the process.
  read.on('error', () => undefined);
  if (hasMore) read.cancel().catch(() => undefined);
  // Destroyed, it would leave unread what is under way, and the call below would never end.
  read.removeAllListeners('readable').resume();
}

function isOfType(error: unknown, type: ErrorType): boolean {
  return error instanceof Error && isCommandError(error) && error.type === type;
}
