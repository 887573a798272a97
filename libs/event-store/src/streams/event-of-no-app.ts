import { newUuid, wallClock } from '#platform';
import type { EventToAppend } from './event-store.js';

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
