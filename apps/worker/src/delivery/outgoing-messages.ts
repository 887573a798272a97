import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '#domain/event';
import type { FeedItem, Partitions } from '#event-store';
import { Fault } from '#platform';
import { EventReader } from '../feed/event-reader.js';
import { MESSAGES_KEPT } from '../limits.js';
import { PARTITIONS } from '../tokens.js';
import type { Delivery } from './queued-delivery.js';
import { MessagePlanner } from './message-planner.js';
import type { OutgoingMessage } from './outgoing-message.js';

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
 * are planned again from their events, which gives the same bytes (rules/webhooks 1).
 */
@Injectable()
export class OutgoingMessages {
  /** By the place of their event. */
  readonly #kept: LRUCache<string, readonly OutgoingMessage[]>;

  constructor(
    private readonly planner: MessagePlanner,
    private readonly events: EventReader,
    @Inject(PARTITIONS) { count }: Pick<Partitions, 'count'>,
  ) {
    this.#kept = new LRUCache({ max: Math.ceil(MESSAGES_KEPT / count) });
  }

  keep(event: Place, messages: readonly OutgoingMessage[]): void {
    this.#kept.set(placeKey(event), messages);
  }

  /** All messages of an event, where they are still in memory: they need not be planned again. */
  findKept(event: Place): readonly OutgoingMessage[] | undefined {
    return this.#kept.get(placeKey(event));
  }

  /** The message of a delivery, at once where memory has it. @throws Fault of the store; Unplannable. */
  find(delivery: Delivery): OutgoingMessage | Promise<OutgoingMessage> {
    const kept = this.findKept(delivery);
    return kept ? pick(kept, delivery) : this.#make(delivery);
  }

  async #make(delivery: Delivery): Promise<OutgoingMessage> {
    return pick(await this.#plan(delivery), delivery);
  }

  async #plan(delivery: Delivery): Promise<readonly OutgoingMessage[]> {
    const { events, unreadable } = await this.events.readAll([delivery]);
    for (const error of unreadable) throw new Unplannable(error.item, error);
    const [event] = events;
    if (event === undefined) throw new Error('the event of the message is gone');
    const messages = await this.planner.plan(event).catch((error: unknown) => {
      if (error instanceof Fault && error.retryable) throw error;
      throw new Unplannable(event, error);
    });
    this.keep(event, messages);
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
