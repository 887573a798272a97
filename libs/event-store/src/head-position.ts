import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import type { Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import { toFault } from './errors.js';
import { READ_IDLE_MS } from './limits.js';
import { START, toPosition } from './position.js';

/** See `EventStore.headPosition`. */
export async function headPosition(client: EventStoreDBClient): Promise<Position> {
  const readLast = async () => {
    const last = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
    let position = START;
    for await (const { event } of last) if (event) position = toPosition(event.position);
    return position;
  };
  try {
    return await withTimeLimit(readLast(), READ_IDLE_MS, 'the event store');
  } catch (error) {
    throw toFault(error, 'reading the head');
  }
}
