import { eventOfNoApp } from './event-of-no-app.js';
import { type EventStore, RevisionConflict } from './event-store.js';

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
