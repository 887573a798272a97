import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import { SENT_CATEGORIES } from '#webhooks';
import {
  type EventConsumer,
  EventConsumers,
  type Planned,
  type PoisonGate,
} from '../feed/event-consumer.js';
import { type InFlight, PROCESS } from '../feed/in-flight.js';
import { MessagePlanner } from './message-planner.js';
import { Outbox } from './outbox.js';
import type { OutgoingMessage } from './outgoing-message.js';

type Messages = readonly OutgoingMessage[];

/** The delivery of webhooks as a consumer of the feed: events become messages, messages are enqueued. */
@Injectable()
export class DeliveryConsumer implements EventConsumer<Messages>, OnModuleInit {
  readonly categories = SENT_CATEGORIES;

  constructor(
    private readonly consumers: EventConsumers,
    private readonly planner: MessagePlanner,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.consumers.add(this);
  }

  async plan(event: RecordedEvent): Promise<Messages | undefined> {
    const messages = await this.planner.plan(event);
    return messages.length === 0 ? undefined : messages;
  }

  async perform(
    planned: readonly Planned<Messages>[],
    _gate: PoisonGate,
    inFlight?: readonly InFlight[],
  ): Promise<void> {
    const messages = planned.flatMap(({ plan }) => plan);
    if (inFlight === undefined) return this.outbox.enqueue(messages);
    const [{ target } = { target: '' }] = inFlight;
    const lost = messages.filter((message) => inFlight.some((each) => isInFlight(message, each)));
    await this.outbox.enqueue(lost, target);
  }

  ownsTarget(target: string): boolean {
    return target !== PROCESS;
  }
}

function isInFlight({ event, type }: OutgoingMessage, inFlight: InFlight): boolean {
  const { streamName, revision } = event;
  return (
    inFlight.streamName === streamName && inFlight.revision === revision && inFlight.type === type
  );
}
