import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import { type EventStore, UndecodableEvent } from '#event-store';
import { groupBy } from '#platform';
import { EVENT_STORE } from '../tokens.js';
import { EventDispatcher } from './event-dispatcher.js';
import { type InFlight, parseInFlight, PROCESS } from './in-flight.js';
import { InFlightSet } from './in-flight-set.js';
import { ProgressNotifier } from './progress-notifier.js';

/** What was in flight when a worker ended, or when Redis was lost. */
@Injectable()
export class InFlightWork {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly inFlight: InFlightSet,
    private readonly dispatcher: EventDispatcher,
    private readonly notifier: ProgressNotifier,
  ) {}

  /** Redis still has it and its jobs: only this process has to learn of it. @throws Fault. */
  async announce(): Promise<void> {
    for await (const inFlight of this.inFlight.scan(PROCESS)) {
      const event = await this.#readEvent(inFlight);
      if (event !== undefined) this.notifier.stillInFlight(event);
    }
  }

  /**
   * Redis was lost with its jobs: all of it is begun again, for each target in the store's order.
   *
   * @param members as the backup names them, in the store's order. @throws Fault.
   */
  async redo(members: readonly string[]): Promise<void> {
    for (const inFlight of groupBy(members.map(parseInFlight), ({ target }) => target)) {
      const events = await this.#readEvents(inFlight);
      if (inFlight[0]?.target === PROCESS) events.forEach((e) => this.notifier.stillInFlight(e));
      await this.dispatcher.redo(events, inFlight);
    }
  }

  /** Each event once, though several of its messages may be in flight. */
  async #readEvents(inFlight: readonly InFlight[]): Promise<RecordedEvent[]> {
    const events = new Map<string, RecordedEvent>();
    for (const each of inFlight) {
      if (events.has(each.position)) continue;
      const event = await this.#readEvent(each);
      if (event !== undefined) events.set(each.position, event);
    }
    return [...events.values()];
  }

  /** Undefined when the stream is gone, or is parked for an event that cannot be read. */
  async #readEvent({ streamName, revision }: InFlight): Promise<RecordedEvent | undefined> {
    const one = { fromRevision: revision, maxCount: 1 };
    try {
      for await (const event of this.store.readStream(streamName, one)) return event;
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      await this.dispatcher.admit([error.item]);
    }
    return undefined;
  }
}
