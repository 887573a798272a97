import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { idOf, type RecordedEvent } from '#domain/event';
import type { AppDirectory } from '#tenancy';
import { SENT_CATEGORIES } from '#webhooks';
import { APPS } from '../../tokens.js';
import {
  type EventConsumer,
  EventConsumers,
  type Planned,
  type PoisonGate,
} from '../../feed/event-consumer.js';
import { type InFlight, inFlightMember, PROCESS } from '#worker-state';
import { DeliveryIntake } from '../queue/delivery-intake.js';
import { asksForResend, ENDPOINT_CATEGORY, isOfEndpoint } from '../queue/queued-delivery.js';
import { MessagePlanner, type OutgoingMessage } from '../send/message-planner.js';
import { type Delivery, OutgoingMessages } from '../send/outgoing-messages.js';
import { InFlightLimit } from './in-flight-limit.js';

type Messages = readonly OutgoingMessage[];

/** The delivery of webhooks as a consumer of the feed: events become messages, and messages deliveries in flight. */
@Injectable()
export class DeliveryConsumer implements EventConsumer<Messages>, OnModuleInit {
  readonly categories = [...SENT_CATEGORIES, ENDPOINT_CATEGORY];

  constructor(
    private readonly consumers: EventConsumers,
    private readonly planner: MessagePlanner,
    private readonly messages: OutgoingMessages,
    private readonly inFlight: InFlightLimit,
    private readonly intake: DeliveryIntake,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
  ) {}

  onModuleInit(): void {
    this.consumers.add(this);
  }

  async plan(event: RecordedEvent): Promise<Messages | undefined> {
    const { appId } = event.metadata;
    // Where an app has no endpoint, no state is read, and no player's key is opened.
    if (!isOfEndpoint(event) && (await this.apps.listEndpoints(appId)).length === 0)
      return undefined;
    const messages = await this.planner.plan(event);
    // A resend is named by the event, and is made when it is sent.
    return messages.length === 0 && !asksForResend(event) ? undefined : messages;
  }

  /** Before the checkpoint moves, each message is in flight, or behind the cursor of its endpoint. */
  async perform(
    planned: readonly Planned<Messages>[],
    _gate: PoisonGate,
    inFlight?: readonly InFlight[],
  ): Promise<void> {
    for (const { event, plan } of planned) this.messages.keep(event, plan);
    if (inFlight !== undefined) {
      const positions = new Set(planned.map(({ event }) => event.position));
      await this.intake.goOn(inFlight.filter(({ position }) => positions.has(position)));
      return;
    }
    const begin = await this.inFlight.admit(planned);
    await this.intake.begin([...begin, ...findTests(planned)]);
  }

  async resume(): Promise<void> {
    await this.intake.takeUp();
  }

  ownsTarget(target: string): boolean {
    return target !== PROCESS;
  }

  async endLost({ member, target }: InFlight): Promise<void> {
    await this.intake.endLost(target, member);
  }
}

/** The tests, with their apps. They do not count against the in-flight limit: each was asked for by a call of its own. */
function findTests(planned: readonly Planned<Messages>[]) {
  return planned
    .filter(({ event }) => isOfEndpoint(event))
    .flatMap(({ event, plan }) =>
      plan.map((message) => [toDelivery(event, message), event.metadata.appId] as const),
    );
}

function toDelivery(event: RecordedEvent, { id: messageId }: OutgoingMessage): Delivery {
  const { position, streamName, revision } = event;
  const target = idOf(streamName);
  const member = inFlightMember(event, target, messageId);
  return { member, position, target, streamName, revision, messageId };
}
