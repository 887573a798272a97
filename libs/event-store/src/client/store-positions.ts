import {
  type AllStreamRecordedEvent,
  type EventStoreDBClient,
  FORWARDS,
} from '@eventstore/db-client';
import type { Instant, Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { asFault, beginRead } from './begin-read.js';
import { toFault } from './errors.js';
import { READ_IDLE_MS } from '../streams/limits.js';
import { START, toLogPosition, toPosition } from '../streams/position.js';
import { headRequest } from './verbatim/read-requests.js';

const HEAD_REQUEST = headRequest();

/**
 * See `EventStore.headPosition`. Pages of the shop ask for it, so that it is read as streams are, and not by the
 * client's own stream.
 */
export async function headPosition(client: EventStoreDBClient): Promise<Position> {
  const doing = 'reading the head';
  const begun = await beginRead(client, HEAD_REQUEST, doing);
  const { call } = begun;
  let position = START;
  let hasFailed = false;
  try {
    for (let { answers } = begun; answers.length > 0; answers = await call.next()) {
      for (const answer of answers) {
        if (answer.kind === 'event') position = answer.event.position;
      }
    }
    return position;
  } catch (error) {
    hasFailed = true;
    throw asFault(error, doing);
  } finally {
    call.leave(hasFailed);
  }
}

/** See `EventStore.hasEventAt`. */
export async function hasEventAt(client: EventStoreDBClient, at: Position): Promise<boolean> {
  const found = await readFrom(client, at, true);
  return readPosition(found) === at;
}

/** See `EventStore.findTime`. Any node will do: what is asked about was written a while ago. */
export async function findTime(
  client: EventStoreDBClient,
  at: Position,
): Promise<Instant | undefined> {
  return (await readFrom(client, at, false))?.created.toISOString();
}

/** The first event at a position or behind it. */
function readFrom(client: EventStoreDBClient, at: Position, requiresLeader: boolean) {
  const fromPosition = toLogPosition(at);
  const range = { direction: FORWARDS, fromPosition, maxCount: 1, requiresLeader } as const;
  return readOne(client.readAll(range), `reading what is at ${at}`);
}

/** `START` where there is no event. */
function readPosition(event: AllStreamRecordedEvent | undefined): Position {
  return event === undefined ? START : toPosition(event.position);
}

/** The event of a short reading, undefined when it brings none. */
async function readOne(
  reading: ReturnType<EventStoreDBClient['readAll']>,
  doing: string,
): Promise<AllStreamRecordedEvent | undefined> {
  const read = async () => {
    let found: AllStreamRecordedEvent | undefined;
    for await (const { event } of reading) found = event ?? found;
    return found;
  };
  try {
    return await withTimeLimit(read(), READ_IDLE_MS, 'the event store');
  } catch (error) {
    throw toFault(error, doing);
  }
}
