import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import { type FeedItem, UndecodableEvent } from '#event-store';
import { isRetryableFault, type Log, releaseVersion } from '#platform';
import type { Lease } from '#projection-engine';
import { type ParkedEntry, shortenReason } from '#worker-state';
import { KNOWN_EVENT_TYPES } from '../known-event-types.js';
import { parkedStreams } from '../metrics.js';
import { LEASE, LOG } from '../tokens.js';
import type { PoisonGate } from './event-consumer.js';
import { ParkedSet } from '../redis/parked-set.js';

/** Lets events pass to the consumers, but for those of streams that are parked (rules/events 5). */
@Injectable()
export class ParkingGate implements PoisonGate {
  readonly #release = readRelease();

  constructor(
    private readonly parked: ParkedSet,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The parked streams, by their names. @throws Fault of Redis. */
  async load(): Promise<ReadonlyMap<string, ParkedEntry>> {
    const parked = await this.parked.load();
    this.#count();
    return parked;
  }

  /** The parked streams, as this process knows them. */
  get entries(): readonly ParkedEntry[] {
    return [...this.parked.all.values()];
  }

  isHeld(event: { readonly streamName: string; readonly revision: number }): boolean {
    return this.parked.holds(event);
  }

  /**
   * Whether an event is begun when its parked stream goes on. An event no further on than the stream was begun before
   * is not: of that, only work in flight goes on then.
   */
  isBegunLater(event: Pick<FeedItem, 'streamName' | 'revision' | 'position'>): boolean {
    const entry = this.parked.all.get(event.streamName);
    return entry !== undefined && this.isHeld(event) && event.position > entry.begunUpTo;
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

  /** @param begunUpTo work of events up to here was begun before; empty where none was. */
  async poison(item: FeedItem, error: unknown, begunUpTo: Position = ''): Promise<void> {
    // The world failed: the whole batch is tried again. An event that can never succeed is poison.
    if (isRetryableFault(error)) throw error;
    const reason = shortenReason(error instanceof Error ? error.message : String(error));
    const { streamName, revision, position, type } = item;
    const entry = { streamName, revision, position, type, reason, begunUpTo };
    if (await this.parked.park({ ...entry, release: this.#release })) {
      this.log.error({ err: error, streamName, revision }, 'a stream is parked; the others go on');
    }
    this.#count();
  }

  /** Works on the events that a stream held back. @throws the error of `work`: the stream then stays parked. */
  async retry(streamName: string, work: () => Promise<void>): Promise<void> {
    const goesOn = await this.parked.retry(streamName, work);
    this.#count();
    if (goesOn) this.log.info({ streamName }, 'a parked stream goes on');
  }

  /** Parks the streams that a backup names, and frees all others. @throws Fault of Redis; Fenced. */
  async restore(backup: readonly ParkedEntry[], upTo: Position): Promise<void> {
    for (const { streamName, position } of (await this.parked.load()).values()) {
      if (position <= upTo) await this.parked.remove(streamName);
    }
    for (const entry of backup) await this.parked.park(entry);
    this.#count();
  }

  #count(): void {
    parkedStreams.set({ partition: this.lease.partition }, this.parked.all.size);
  }
}

/**
 * Names the abilities of this release: the events that it knows, and its build. One release's parked streams are no
 * verdict for another: that one tries at once (rules/events 5).
 */
function readRelease(): string {
  const known = [releaseVersion(), ...[...KNOWN_EVENT_TYPES].sort()];
  return createHash('sha256').update(known.join(' ')).digest('hex').slice(0, 10);
}
