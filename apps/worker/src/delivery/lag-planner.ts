import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import {
  type CommandExecutor,
  type FeedItem,
  type Partitions,
  StatesAtRevision,
  UndecodableEvent,
} from '#event-store';
import { Fault, forEachConcurrently, groupBy, type Log, warnSeldom } from '#platform';
import type { PersonalData } from '#tenancy';
import { COMMANDS_AT_ONCE, STATES_KEPT } from '../limits.js';
import { COMMANDS, LOG, PARTITIONS, PERSONAL_DATA } from '../tokens.js';
import type { ReadAgain } from './delivery-window.js';
import { MessagePlanner } from './message-planner.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { OutgoingMessages } from './outgoing-messages.js';

/**
 * Plans the messages of events that are read again, with states of their own: those of the feed are further on,
 * and each event would have its stream read anew.
 */
@Injectable()
export class LagPlanner {
  readonly #planner: MessagePlanner;

  constructor(
    @Inject(COMMANDS) commands: Pick<CommandExecutor, 'load'>,
    @Inject(PARTITIONS) { count }: Partitions,
    @Inject(PERSONAL_DATA) personalData: Pick<PersonalData, 'access'>,
    private readonly messages: OutgoingMessages,
    @Inject(LOG) private readonly log: Log,
  ) {
    const states = new StatesAtRevision(commands, Math.ceil(STATES_KEPT / count));
    this.#planner = new MessagePlanner(states, personalData);
  }

  /**
   * What cannot be made by any retry, or not even be read, holds up the endpoints of its app alone, until another
   * release can.
   *
   * @param items in the store's order. @throws Fault of the store.
   */
  async plan(items: readonly FeedItem[]): Promise<readonly ReadAgain[]> {
    const plans = new Map<FeedItem, readonly OutgoingMessage[]>();
    const events: RecordedEvent[] = [];
    for (const item of items) {
      const kept = 'undecodable' in item ? undefined : this.messages.findKept(item);
      if (kept !== undefined) plans.set(item, kept);
      else events.push(...this.#readable(item));
    }
    const streams = groupBy(events, ({ streamName }) => streamName);
    await forEachConcurrently(streams, COMMANDS_AT_ONCE, async (stream) => {
      for (const event of stream) {
        const plan = await this.#planOne(event);
        if (plan !== undefined) plans.set(event, plan);
      }
    });
    return items.map((event) => ({ event, plan: plans.get(event) ?? null }));
  }

  #readable(item: FeedItem): readonly RecordedEvent[] {
    if (!('undecodable' in item)) return [item];
    this.#warn(new UndecodableEvent(item));
    return [];
  }

  /** It is in memory as well when it is sent: that is soon. */
  async #planOne(event: RecordedEvent): Promise<readonly OutgoingMessage[] | undefined> {
    try {
      const plan = await this.#planner.plan(event);
      if (plan.length > 0) this.messages.keep(event, plan);
      return plan;
    } catch (error) {
      if (error instanceof Fault && error.retryable) throw error;
      this.#warn(error);
      return undefined;
    }
  }

  #warn(error: unknown): void {
    warnSeldom(this.log, error, 'a message cannot be made: its endpoints lag behind');
  }
}
