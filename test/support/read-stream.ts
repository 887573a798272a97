import { connectEventStore } from '#event-store/connect';
import { readStoreUrl, type RunningStandalone } from './standalone.js';

/** An event of a stream, as the store has it. */
export interface StoredEvent {
  readonly type: string;
  readonly commandHash: unknown;
}

/** All events of a stream of a standalone. @throws Error where there is no such stream. */
export async function readStream(
  standalone: Pick<RunningStandalone, 'dataDir'>,
  streamName: string,
): Promise<StoredEvent[]> {
  const store = connectEventStore(await readStoreUrl(standalone));
  const events: StoredEvent[] = [];
  for await (const { type, metadata } of store.readStream(streamName)) {
    events.push({ type, commandHash: metadata.commandHash });
  }
  await store.dispose();
  return events;
}
