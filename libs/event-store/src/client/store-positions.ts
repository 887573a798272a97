import type { Instant, Position } from '#domain/event';
import { START } from '../streams/position.js';
import type { StoreConnection } from './connection/index.js';
import { headRequest, positionRequest } from './read-requests.js';
import { collectEvents } from './read/index.js';

const HEAD_REQUEST = headRequest();

/** See `EventStore.headPosition`. */
export async function headPosition(store: StoreConnection): Promise<Position> {
  const read = { request: HEAD_REQUEST, maxCount: 1, doing: 'reading the head' };
  const [last] = await collectEvents(store, read);
  return last?.position ?? START;
}

/** See `EventStore.hasEventAt`. */
export async function hasEventAt(store: StoreConnection, at: Position): Promise<boolean> {
  return (await readFrom(store, at, true))?.position === at;
}

/** See `EventStore.findTime`. Any node will do: the event was written a while ago. */
export async function findTime(store: StoreConnection, at: Position): Promise<Instant | undefined> {
  const event = await readFrom(store, at, false);
  return event && new Date(event.createdAtMs).toISOString();
}

/** The first event at a position or behind it. */
async function readFrom(store: StoreConnection, at: Position, requiresLeader: boolean) {
  const doing = `reading the event at ${at}`;
  const [first] = await collectEvents(store, {
    ...{ request: positionRequest(at), maxCount: 1, doing, requiresLeader },
  });
  return first;
}
