import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import { type FeedItem, UndecodableEvent } from '#event-store';
import { Fault, type Log } from '#platform';
import { type Lease, parkedAt, ParkedStreams } from '#projection-engine';
import { parkedStreams } from '../metrics.js';
import { LEASE, LOG } from '../tokens.js';
import type { PoisonGate } from './event-consumer.js';

/** Lets events pass to the consumers, but for those of streams that are parked (rules/events 5). */
@Injectable()
export class ParkingGate implements PoisonGate {
  constructor(
    private readonly parked: ParkedStreams,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Takes up what other workers parked. @throws Fault of Redis. */
  async load() {
    const parked = await this.parked.load();
    this.#count(parked.size);
    return parked;
  }

  isHeld({ streamName }: { readonly streamName: string }): boolean {
    return this.parked.has(streamName);
  }

  /** The events that may be worked on; one that cannot be read parks its stream. @throws Fault of Redis. */
  async admit(items: readonly FeedItem[]): Promise<RecordedEvent[]> {
    const admitted: RecordedEvent[] = [];
    for (const item of items) {
      if ('undecodable' in item) await this.poison(item, new UndecodableEvent(item));
      else if (!this.isHeld(item)) admitted.push(item);
    }
    return admitted;
  }

  async poison(item: FeedItem, error: unknown): Promise<void> {
    // The world failed: the whole batch is tried again. What can never succeed is poison.
    if (error instanceof Fault && error.retryable) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (await this.parked.park(parkedAt(item, reason))) {
      const { streamName, revision } = item;
      this.log.error({ err: error, streamName, revision }, 'a stream is parked; the others go on');
    }
    this.#count(this.parked.count);
  }

  /** Works on what a stream held back. @throws what `work` throws: the stream then stays parked. */
  async retry(streamName: string, work: () => Promise<void>): Promise<void> {
    const goesOn = await this.parked.retry(streamName, work);
    this.#count(this.parked.count);
    if (goesOn) this.log.info({ streamName }, 'a parked stream goes on');
  }

  #count(parked: number): void {
    parkedStreams.set({ partition: this.lease.partition }, parked);
  }
}
