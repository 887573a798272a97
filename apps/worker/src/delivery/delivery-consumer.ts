import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import { SENT_CATEGORIES } from '#webhooks';
import {
  type EventConsumer,
  EventConsumers,
  type Planned,
  type PoisonGate,
} from '../feed/event-consumer.js';
import { type InFlight, inFlightMember, PROCESS } from '../feed/in-flight.js';
import { InFlightSet } from '../feed/in-flight-set.js';
import { MessagePlanner } from './message-planner.js';
import { Outbox } from './outbox.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { deliveryJobId } from './queued-message.js';
import { SubjectQueue } from './subject-queue.js';

type Messages = readonly OutgoingMessage[];

/** The delivery of webhooks as a consumer of the feed: events become messages, messages are enqueued. */
@Injectable()
export class DeliveryConsumer implements EventConsumer<Messages>, OnModuleInit {
  readonly categories = SENT_CATEGORIES;

  constructor(
    private readonly consumers: EventConsumers,
    private readonly planner: MessagePlanner,
    private readonly outbox: Outbox,
    private readonly subjects: SubjectQueue,
    private readonly inFlight: InFlightSet,
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
    if (inFlight === undefined) await this.outbox.enqueue(messages);
    else await this.#redo(planned, inFlight);
  }

  /** What has no endpoint any more, or had ended, is not in flight. */
  async #redo(planned: readonly Planned<Messages>[], inFlight: readonly InFlight[]): Promise<void> {
    const messages = planned.flatMap(({ plan }) => plan);
    const [{ target } = { target: '' }] = inFlight;
    const members = new Set(inFlight.map(({ member }) => member));
    const lost = messages.filter(({ event, id }) => members.has(inFlightMember(event, target, id)));
    const going = new Set(await this.outbox.enqueue(lost, target));
    const positions = new Set(planned.map(({ event }) => event.position));
    for (const { member, position } of inFlight) {
      if (positions.has(position) && !going.has(member)) await this.inFlight.endLost(member);
    }
  }

  ownsTarget(target: string): boolean {
    return target !== PROCESS;
  }

  async endLost({ member, target, messageId = '' }: InFlight): Promise<void> {
    const message = await this.subjects.load(deliveryJobId({ endpointId: target, messageId }));
    if (message === undefined) return this.inFlight.endLost(member);
    await this.subjects.removeLost(message);
  }
}
