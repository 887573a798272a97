import type { Position, RecordedEvent } from '#domain/event';
import { type LedgerStore, UndecodableEvent } from '#event-store';
import { parkedAt, type ParkedStream } from '../stored/parked-stream.js';

/**
 * Reads the events of a stream from the parked one on, as far as they can be decoded.
 *
 * @throws Fault of the store.
 */
export async function readHeldBack(
  store: Pick<LedgerStore, 'readStream'>,
  { streamName, revision }: ParkedStream,
  upTo: Position,
): Promise<{ events: RecordedEvent[]; undecodable?: ParkedStream }> {
  const events: RecordedEvent[] = [];
  try {
    for await (const event of store.readStream(streamName, { fromRevision: revision })) {
      if (event.position > upTo) break;
      events.push(event);
    }
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error;
    const { item } = error;
    // One that lies ahead comes with the feed, and parks the stream then.
    if (item.position <= upTo) return { events, undecodable: parkedAt(item, item.reason) };
  }
  return { events };
}
