import { LRUCache } from 'lru-cache';
import type { Position } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { type CommandExecutor, type EventStore, UndecodableEvent } from '#event-store';
import { isWebhookEvent } from '#webhooks';
import { REMEMBERED_SEQUENCES } from '../limits.js';
import type { OutgoingMessage } from './delivery-job.js';

interface Numbered {
  readonly position: Position;
  readonly sequence: number;
}

/**
 * Sequence numbers of messages: 1, 2, 3 ... over the messages of a subject (decisions 8). They follow
 * from the store alone, so that they are the same after a loss of Redis: a message's number is how
 * many events of its subject's streams, up to its own, give rise to messages.
 */
export class Sequences {
  readonly #store: EventStore;
  readonly #commands: CommandExecutor;
  readonly #last = new LRUCache<string, Numbered>({ max: REMEMBERED_SEQUENCES });

  constructor(store: EventStore, commands: CommandExecutor) {
    this.#store = store;
    this.#commands = commands;
  }

  /**
   * The number of a message. Messages of one subject are to be asked for in the store's order, one
   * after the other: each is then one more than the last, without reading.
   *
   * @throws Fault of the store.
   */
  async of(message: OutgoingMessage): Promise<number> {
    const { subject, event } = message;
    const last = this.#last.get(subject);
    const isNext = last !== undefined && last.position < event.position;
    const sequence = isNext ? last.sequence + 1 : await this.#count(message);
    if (last === undefined || isNext)
      this.#last.set(subject, { position: event.position, sequence });
    return sequence;
  }

  /** A message that nobody hears of is not counted here: the next one is, in the store. */
  skip({ subject }: OutgoingMessage): void {
    this.#last.delete(subject);
  }

  /** Messages were held back without being asked for: the next ones are counted in the store. */
  forgetAll(): void {
    this.#last.clear();
  }

  async #count(message: OutgoingMessage): Promise<number> {
    let count = 0;
    for (const streamName of await this.#streamsOf(message)) {
      count += await this.#countIn(streamName, message.event.position);
    }
    return count;
  }

  async #streamsOf({ subject, event }: OutgoingMessage): Promise<Set<string>> {
    const streamNames = new Set([event.streamName]);
    try {
      const { state } = await this.#commands.load(subscriptionAggregate, subject);
      if (state.status === 'none') return streamNames;
      streamNames.add(`${subscriptionAggregate.category}-${subject}`);
      for (const id of state.paymentIds) streamNames.add(`${paymentAggregate.category}-${id}`);
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
    }
    return streamNames;
  }

  /** An event that cannot be read parks its stream; what stands before it still counts. */
  async #countIn(streamName: string, upTo: Position): Promise<number> {
    let count = 0;
    try {
      for await (const { type, position } of this.#store.readStream(streamName)) {
        if (position <= upTo && isWebhookEvent(type)) count += 1;
      }
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
    }
    return count;
  }
}
