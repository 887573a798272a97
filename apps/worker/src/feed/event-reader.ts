import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '#domain/event';
import { type EventStore, UndecodableEvent, type UndecodableItem } from '#event-store';
import { forEachConcurrently } from '#platform';
import type { InFlight } from '#worker-state';
import { CALLS_AT_ONCE } from '../limits.js';
import { EVENT_STORE } from '../tokens.js';

/** Events as far as they could be read. */
export interface ReadEvents {
  readonly events: readonly RecordedEvent[];
  /** Events that this release cannot read. */
  readonly unreadable: readonly UndecodableEvent[];
}

/** Events read again, out of turn: those of work in flight, and those that parked streams held back. */
@Injectable()
export class EventReader {
  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>) {}

  /**
   * The events that work in flight followed from, each once and in the store's order; none of a stream
   * that is gone. Many are read at once.
   *
   * @throws Fault of the store.
   */
  async readAll(inFlight: readonly InFlight[]): Promise<ReadEvents> {
    const wanted = new Map(inFlight.map((each) => [each.position, each]));
    const events: RecordedEvent[] = [];
    const unreadable: UndecodableEvent[] = [];
    await forEachConcurrently([...wanted.values()], CALLS_AT_ONCE, async (each) => {
      const one = { fromRevision: each.revision, maxCount: 1 };
      const found = await this.#read(each.streamName, one);
      events.push(...found.events);
      unreadable.push(...found.unreadable);
    });
    events.sort((left, right) => (left.position < right.position ? -1 : 1));
    return { events, unreadable };
  }

  /** A stream up to a position, or up to the first event that cannot be read. @throws Fault of the store. */
  async readStream(streamName: string, fromRevision: number, upTo: Position): Promise<ReadEvents> {
    const { events, unreadable } = await this.#read(streamName, { fromRevision });
    const isWithin = ({ position }: Pick<UndecodableItem, 'position'>) => position <= upTo;
    return {
      events: events.filter(isWithin),
      unreadable: unreadable.filter(({ item }) => isWithin(item)),
    };
  }

  async #read(
    streamName: string,
    options: { readonly fromRevision: number; readonly maxCount?: number },
  ): Promise<ReadEvents> {
    const events: RecordedEvent[] = [];
    try {
      for await (const event of this.store.readStream(streamName, options)) events.push(event);
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      return { events, unreadable: [error] };
    }
    return { events, unreadable: [] };
  }
}
