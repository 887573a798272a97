import { BACKWARDS, END, type EventStoreDBClient, FORWARDS } from '@eventstore/db-client';
import type { Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { toFault } from './errors.js';
import { READ_IDLE_MS } from './limits.js';
import { START, toLogPosition, toPosition } from './position.js';

/** See `EventStore.headPosition`. The leader is asked: another node may be behind. */
export function headPosition(client: EventStoreDBClient): Promise<Position> {
  return readOne(
    client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true }),
    'reading the head',
  );
}

/** See `EventStore.hasEventAt`. */
export async function hasEventAt(client: EventStoreDBClient, at: Position): Promise<boolean> {
  const fromPosition = toLogPosition(at);
  const reading = client.readAll({
    direction: FORWARDS,
    fromPosition,
    maxCount: 1,
    requiresLeader: true,
  });
  return (await readOne(reading, `reading what is at ${at}`)) === at;
}

/** The position of the last event of a short reading, `START` when it brings none. */
async function readOne(
  reading: ReturnType<EventStoreDBClient['readAll']>,
  doing: string,
): Promise<Position> {
  const read = async () => {
    let position = START;
    for await (const { event } of reading) if (event) position = toPosition(event.position);
    return position;
  };
  try {
    return await withTimeLimit(read(), READ_IDLE_MS, 'the event store');
  } catch (error) {
    throw toFault(error, doing);
  }
}
