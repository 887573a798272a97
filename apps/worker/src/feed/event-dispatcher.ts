import { Injectable } from '@nestjs/common';
import { categoryOf, type Position, type RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import { forEachConcurrently, groupBy, settleAll } from '#platform';
import type { InFlight } from '#worker-state';
import { CALLS_AT_ONCE } from '../limits.js';
import { type EventConsumer, EventConsumers, type Planned } from './event-consumer.js';
import { ParkingGate } from './parking-gate.js';

type Plans = Map<EventConsumer, Planned<unknown>[]>;

/**
 * Gives events to the consumers: first all of them plan, then all of them act. An event that one of them
 * cannot plan is acted on by none.
 */
@Injectable()
export class EventDispatcher {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly gate: ParkingGate,
  ) {}

  get categories(): string[] {
    return this.consumers.categories;
  }

  /** The events of a batch that are not held back. @throws Fault of Redis. */
  async admit(items: readonly FeedItem[]): Promise<RecordedEvent[]> {
    return this.gate.admit(items);
  }

  /**
   * Does the work that events ask for, in the store's order. Resolves when it is durable.
   *
   * @throws Fault: the same events are then to be given again.
   */
  async dispatch(events: readonly RecordedEvent[]): Promise<void> {
    const plans = await this.#plan(events, this.consumers.all);
    const performed = [...plans].map(([consumer, planned]) => consumer.perform(planned, this.gate));
    await settleAll(performed);
  }

  /**
   * Begins the work in flight of one target again.
   *
   * @param events those that the work followed from, in the store's order.
   * @param begunUpTo the position of the backup that names it; empty where none does.
   * @throws as `dispatch`.
   */
  async redo(
    events: readonly RecordedEvent[],
    inFlight: readonly InFlight[],
    begunUpTo: Position,
  ): Promise<void> {
    const [first] = inFlight;
    if (first === undefined) return;
    const owners = [this.consumers.ownerOf(first.target)];
    const plans = await this.#plan(events, owners, begunUpTo);
    for (const [owner, planned] of plans) await owner.perform(planned, this.gate, inFlight);
  }

  async #plan(
    events: readonly RecordedEvent[],
    consumers: readonly EventConsumer[],
    begunUpTo: Position = '',
  ): Promise<Plans> {
    const plans: Plans = new Map(consumers.map((consumer) => [consumer, []]));
    const streams = groupBy(events, ({ streamName }) => streamName);
    await forEachConcurrently(streams, CALLS_AT_ONCE, async (stream) => {
      const category = categoryOf(stream[0]?.streamName ?? '');
      const concerned = consumers.filter(({ categories }) => categories.includes(category));
      for (const event of stream) await this.#planOne(event, concerned, plans, begunUpTo);
    });
    for (const planned of plans.values()) planned.sort(byPosition);
    return plans;
  }

  async #planOne(
    event: RecordedEvent,
    concerned: readonly EventConsumer[],
    plans: Plans,
    begunUpTo: Position,
  ): Promise<void> {
    if (this.gate.isHeld(event)) return;
    const made: unknown[] = [];
    try {
      for (const consumer of concerned) made.push(await consumer.plan(event));
    } catch (error) {
      await this.gate.poison(event, error, begunUpTo);
      return;
    }
    for (const [at, plan] of made.entries()) {
      const consumer = concerned[at];
      if (consumer && plan !== undefined) plans.get(consumer)?.push({ event, plan });
    }
  }
}

function byPosition(left: Planned<unknown>, right: Planned<unknown>): number {
  return left.event.position < right.event.position ? -1 : 1;
}
