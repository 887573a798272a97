import { Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import { groupBy } from '#platform';
import { type InFlight, readInFlight } from '#worker-state';
import { EventConsumers } from './event-consumer.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventReader } from './event-reader.js';
import { InFlightSet, type Member } from '../redis/in-flight-set.js';
import { ParkingGate } from './parking-gate.js';

/** The work in flight when a worker ended, or when Redis was lost. Calls throw Fault of store or Redis. */
@Injectable()
export class InFlightWork {
  constructor(
    private readonly inFlight: InFlightSet,
    private readonly events: EventReader,
    private readonly dispatcher: EventDispatcher,
    private readonly gate: ParkingGate,
    private readonly consumers: EventConsumers,
  ) {}

  /**
   * Makes Redis name the members of a backup: it was emptied, or has lost the last ones. Work that the backup does not
   * name had ended.
   *
   * @param members in the store's order, with the times at which the gateway is asked again.
   */
  async restore(members: readonly Member[], upTo: Position): Promise<void> {
    const named = new Set(members.map(({ member }) => member));
    for await (const page of this.inFlight.pages()) {
      const ended = readAll(page).filter(
        ({ member, position }) => position <= upTo && !named.has(member),
      );
      for (const inFlight of ended) {
        await this.consumers.ownerOf(inFlight.target).endLost(inFlight);
      }
    }
    await this.inFlight.begin(members);
  }

  /**
   * Begins the named work again. An event that cannot be read parks its stream, and its work stays in flight.
   *
   * @param begunUpTo work of events up to here was begun before.
   */
  async redoEach(inFlight: readonly InFlight[], begunUpTo: Position): Promise<void> {
    const { events, unreadable } = await this.events.readAll(inFlight);
    for (const error of unreadable) await this.gate.poison(error.item, error, begunUpTo);
    for (const ofTarget of groupBy(inFlight, ({ target }) => target)) {
      const positions = new Set(ofTarget.map(({ position }) => position));
      const own = events.filter(({ position }) => positions.has(position));
      await this.dispatcher.redo(own, ofTarget, begunUpTo);
    }
  }

  /** Begins the work in flight of one stream again. Resends wait for no stream that is parked. */
  async redoStream(streamName: string, begunUpTo: Position): Promise<void> {
    for await (const page of this.inFlight.pages()) {
      const own = readAll(page).filter(
        (each) => each.streamName === streamName && each.askedAtRevision === undefined,
      );
      if (own.length > 0) await this.redoEach(own, begunUpTo);
    }
  }
}

/** A member that another release wrote in another form stays in flight, for that release. */
function readAll(page: readonly { readonly member: string }[]): InFlight[] {
  return page.flatMap(({ member }) => readInFlight(member) ?? []);
}
