import { newUuid, wallClock } from '#platform';
import { type EventStore, type EventToAppend, RevisionConflict } from './event-store.js';

/**
 * An event that belongs to no app, such as a process's record of its own work, now.
 *
 * @param actor who does it, such as `process:copy_store`.
 * @param correlationId shared by the events of one act; of its own unless given.
 */
export function eventOfNoApp(
  actor: string,
  type: string,
  data: unknown,
  correlationId: string = newUuid(),
): EventToAppend {
  const metadata = {
    $correlationId: correlationId,
    actor,
    ...{ appId: '', environment: 'production' as const, occurredAt: wallClock.now() },
  };
  return { id: newUuid(), type, data, metadata };
}

/**
 * Limits how many events the store keeps of a stream, once for all: a stream with metadata keeps them.
 *
 * @param actor who does it, such as `process:copy_store`. @throws Fault of the store.
 */
export async function limitStream(
  store: Pick<EventStore, 'append'>,
  streamName: string,
  maxCount: number,
  actor: string,
): Promise<void> {
  const metadata = eventOfNoApp(actor, '$metadata', { $maxCount: maxCount });
  try {
    await store.append(`$$${streamName}`, 'no_stream', [metadata]);
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
  }
}
