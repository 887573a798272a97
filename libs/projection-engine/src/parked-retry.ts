import { type LedgerStore, UndecodableEvent } from '#event-store';
import type { RecordedEvent } from '#domain/event';
import { parkedAt, type ParkedStream } from './parked-streams.js';
import type { ProjectedPartition } from './projected-partition.js';
import type { ProjectionFeed } from './projection-feed.js';

/**
 * Tries once more what is parked: this release may know what an earlier one did not. What comes after in
 * the stream is applied with it, up to where the partition stands. No batch comes meanwhile.
 *
 * @returns whether the stream is parked no more. @throws Fault of store or Redis.
 */
export async function retryParkedStream(
  store: Pick<LedgerStore, 'readStream'>,
  feed: ProjectionFeed,
  partition: ProjectedPartition,
  stream: ParkedStream,
): Promise<boolean> {
  // Another retry, or another round, may have been faster.
  const isStillParked = partition.parked.list.some(
    ({ streamName, revision }) => streamName === stream.streamName && revision === stream.revision,
  );
  if (!isStillParked) return false;
  // What the checkpoint does not say yet would come neither with the stream nor with the feed.
  await feed.moveIdle();
  const { events, undecodable } = await readHeldBack(store, stream, partition.position);
  const { changes, parked } = await partition.fold(events, true);
  const parkedAgain = parked[0] ?? undecodable;
  // Nothing has changed: what is written down stays as it is.
  if (parkedAgain?.revision === stream.revision) return false;
  const folded = { changes, parked: parkedAgain === undefined ? [] : [parkedAgain] };
  await feed.commitUnparked(partition, stream, folded);
  return parkedAgain === undefined;
}

/** The events of a stream from the parked one on, as far as they can be decoded. */
async function readHeldBack(
  store: Pick<LedgerStore, 'readStream'>,
  { streamName, revision }: ParkedStream,
  upTo: string,
): Promise<{ events: RecordedEvent[]; undecodable: ParkedStream | undefined }> {
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
    return { events, undecodable: item.position > upTo ? undefined : parkedAt(item, item.reason) };
  }
  return { events, undecodable: undefined };
}
