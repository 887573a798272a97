import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import type { EventStore } from '#event-store';
import type { Log } from '#platform';
import type { ParkedStream } from '#projection-engine';
import { PARKED_RETRIED } from '../limits.js';
import { EVENT_STORE, LOG } from '../tokens.js';
import { EventDispatcher } from './event-dispatcher.js';
import { ParkingGate } from './parking-gate.js';

/** A newer release may know what an older one had to park: once for each start it is tried again. */
@Injectable()
export class ParkedRetry {
  #hasRetried = false;
  #parked: readonly ParkedStream[] = [];

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly gate: ParkingGate,
    private readonly dispatcher: EventDispatcher,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Takes up what is parked now, by whichever worker. @throws Fault of Redis. */
  async load(): Promise<void> {
    this.#parked = [...(await this.gate.load()).values()];
  }

  /** @param upTo what was held back up to here; later events come by themselves. @throws Fault of Redis. */
  async retryOnce(upTo: Position): Promise<void> {
    if (this.#hasRetried) return;
    this.#hasRetried = true;
    for (const { streamName, revision } of this.#parked.slice(0, PARKED_RETRIED)) {
      try {
        const events = await this.#read(streamName, revision, upTo);
        await this.gate.retry(streamName, () => this.dispatcher.dispatch(events));
      } catch (error) {
        this.log.error({ err: error, streamName, revision }, 'a parked stream stays parked');
      }
    }
  }

  async #read(streamName: string, fromRevision: number, upTo: Position): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of this.store.readStream(streamName, { fromRevision })) {
      if (event.position <= upTo) events.push(event);
    }
    return events;
  }
}
