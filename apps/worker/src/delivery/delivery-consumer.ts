import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '#domain/event';
import type { AppDirectory } from '#tenancy';
import { SENT_CATEGORIES } from '#webhooks';
import { type InFlight, PROCESS } from '#worker-state';
import { APPS } from '../tokens.js';
import { CursorSet } from '../redis/cursor-set.js';
import {
  type EventConsumer,
  EventConsumers,
  type Planned,
  type PoisonGate,
} from '../feed/event-consumer.js';
import { DeliveryIntake } from './delivery-intake.js';
import { DeliveryWindow } from './delivery-window.js';
import {
  asksForResend,
  ENDPOINT_CATEGORY,
  EndpointRequests,
  isOfEndpoint,
} from './endpoint-requests.js';
import { MessagePlanner } from './message-planner.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { OutgoingMessages } from './outgoing-messages.js';

type Messages = readonly OutgoingMessage[];

/** The delivery of webhooks as a consumer of the feed: events become messages, and messages deliveries in flight. */
@Injectable()
export class DeliveryConsumer implements EventConsumer<Messages>, OnModuleInit {
  readonly categories = [...SENT_CATEGORIES, ENDPOINT_CATEGORY];

  constructor(
    private readonly consumers: EventConsumers,
    private readonly planner: MessagePlanner,
    private readonly messages: OutgoingMessages,
    private readonly window: DeliveryWindow,
    private readonly cursors: CursorSet,
    private readonly intake: DeliveryIntake,
    private readonly requests: EndpointRequests,
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
    // What is sent again is named by the event, and is made when it is sent.
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
    const { begin, moves } = await this.window.divide(planned);
    await this.cursors.move(moves);
    await this.intake.begin([...begin, ...this.requests.findTests(planned)]);
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
