import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
} from '@eventstore/db-client';
import type { Instant, Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { toFault } from './errors.js';
import { READ_IDLE_MS } from './limits.js';
import { START, toLogPosition, toPosition } from './position.js';

/** See `EventStore.headPosition`. The leader is asked: another node may be behind. */
export async function headPosition(client: EventStoreDBClient): Promise<Position> {
  const head = {
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: 1,
    requiresLeader: true,
  } as const;
  return readPosition(await readOne(client.readAll(head), 'reading the head'));
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
