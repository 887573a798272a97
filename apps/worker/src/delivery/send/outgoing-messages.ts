import { LRUCache } from 'lru-cache';
import type { InFlight } from '#worker-state';
import type { RecordedEvent } from '#domain/event';
import { type FeedItem, type Partitions, UndecodableEvent } from '#event-store';
import { forEachConcurrently, groupBy, isRetryableFault, type Log, warnSeldom } from '#platform';
import type { EventReader } from '../../feed/event-reader.js';
import { CALLS_AT_ONCE, EVENTS_KEPT } from '../../limits.js';
import type { MessagePlanner, OutgoingMessage } from './message-planner.js';

/** A delivery of one message to one endpoint. */
export interface Delivery extends InFlight {
  readonly messageId: string;
}

/** An event that was read again; null in place of messages that cannot be made now. */
export interface ReadAgain {
  readonly event: FeedItem;
  readonly plan: readonly OutgoingMessage[] | null;
}

/** The messages of an event cannot be made by this release: its stream is to be parked (rules/events 5). */
export class Unplannable extends Error {
  constructor(
    readonly item: FeedItem,
    cause: unknown,
  ) {
    super('the messages of an event cannot be made', { cause });
  }
}

/** An event, as deliveries and records name it. */
type Place = Pick<RecordedEvent, 'streamName' | 'revision'>;

/**
 * The messages that deliveries are of. Those of the newest events are in memory, planned when their events came; others
 * are planned again from their events, which gives the same bytes (rules/webhooks 1). That takes states of its own:
 * those of the feed are further on, and each event would have its stream read anew.
 */
export class OutgoingMessages {
  /** By the place of their event. */
  readonly #kept: LRUCache<string, readonly OutgoingMessage[]>;

  /** @param planner with states of its own. */
  constructor(
    private readonly planner: Pick<MessagePlanner, 'plan'>,
    private readonly events: Pick<EventReader, 'readAll'>,
    { count }: Pick<Partitions, 'count'>,
    private readonly log: Log,
  ) {
    this.#kept = new LRUCache({ max: Math.ceil(EVENTS_KEPT / count) });
  }

  keep(event: Place, messages: readonly OutgoingMessage[]): void {
    this.#kept.set(placeKey(event), messages);
  }

  /** The message of a delivery, at once where memory has it. @throws Fault of the store; Unplannable. */
  find(delivery: Delivery): OutgoingMessage | Promise<OutgoingMessage> {
    const kept = this.#kept.get(placeKey(delivery));
    return kept ? pick(kept, delivery) : this.#make(delivery);
  }

  /**
   * The messages of events that are read again. Those that cannot be made by any retry hold up the endpoints of their app
   * alone, until another release can make them.
   *
   * @param items in the store's order. @throws Fault of the store.
   */
  async planAllAgain(items: readonly FeedItem[]): Promise<readonly ReadAgain[]> {
    const plans = new Map<FeedItem, readonly OutgoingMessage[]>();
    const streams = groupBy(items, ({ streamName }) => streamName);
    await forEachConcurrently(streams, CALLS_AT_ONCE, async (stream) => {
      for (const item of stream) {
        const plan = await this.#planAgain(item).catch((error: unknown) => {
          if (!(error instanceof Unplannable)) throw error;
          warnSeldom(this.log, error, 'a message cannot be made: its endpoints are backlogged');
        });
        if (plan !== undefined) plans.set(item, plan);
      }
    });
    return items.map((event) => ({ event, plan: plans.get(event) ?? null }));
  }

  async #make(delivery: Delivery): Promise<OutgoingMessage> {
    const { events, unreadable } = await this.events.readAll([delivery]);
    for (const error of unreadable) throw new Unplannable(error.item, error);
    const [event] = events;
    if (event === undefined) throw new Error('the event of the message is gone');
    return pick(await this.#planAgain(event), delivery);
  }

  /** All messages of an event, which are in memory as well when they are sent: that is soon. @throws as `find`. */
  async #planAgain(item: FeedItem): Promise<readonly OutgoingMessage[]> {
    if ('undecodable' in item) throw new Unplannable(item, new UndecodableEvent(item));
    const kept = this.#kept.get(placeKey(item));
    if (kept !== undefined) return kept;
    const messages = await this.planner.plan(item).catch((error: unknown) => {
      if (isRetryableFault(error)) throw error;
      throw new Unplannable(item, error);
    });
    if (messages.length > 0) this.keep(item, messages);
    return messages;
  }
}

function pick(messages: readonly OutgoingMessage[], { messageId }: Delivery): OutgoingMessage {
  const found = messages.find(({ id }) => id === messageId);
  if (found === undefined) throw new Error('its event gives no such message');
  return found;
}

function placeKey({ streamName, revision }: Place): string {
  return `${streamName} ${revision}`;
}
