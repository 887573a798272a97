import { Inject, Injectable } from '@nestjs/common';
import type { Instant, Position, RecordedEvent } from '#domain/event';
import type { Resend, ResentMessage } from '#domain/webhook-endpoint';
import type { EventStore } from '#event-store';
import { EVENT_STORE, rejected } from '#nest';
import { wallClock } from '#platform';
import type { PersonalData, RunningEndpoint } from '#tenancy';
import { DeliveryLog } from '#worker-state';
import { PERSONAL_DATA } from '../../tokens.js';
import { FailedDeliveries } from './failed-deliveries.js';
import { NamedMessages } from './named-messages.js';
import { type FoundInRange, RangeMessages } from './range-messages.js';
import type { ResendPlan } from './resend-plan.js';

/** With how much of a time was looked through. */
export type ResolvedResend = Resend & Partial<Pick<FoundInRange, 'progressPercent'>>;

/** The endpoint, and the beginning of the range. */
export interface ResendRequest {
  readonly endpoint: Pick<RunningEndpoint, 'endpointId' | 'appId' | 'eventTypes'>;
  /** By the app's clock. */
  readonly now: Instant;
  /** Of a time, where an earlier call has ended. */
  readonly after: Position | undefined;
}

/** The messages that can be sent again to an endpoint: none of a player who was erased since (rules/webhooks 13). */
@Injectable()
export class ResendableMessages {
  constructor(
    private readonly failed: FailedDeliveries,
    @Inject(RangeMessages) private readonly ranges: Pick<RangeMessages, 'find'>,
    @Inject(DeliveryLog) private readonly log: Pick<DeliveryLog, 'readDeliveries'>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(NamedMessages) private readonly named: Pick<NamedMessages, 'find'>,
  ) {}

  /**
   * The messages that a plan names. Of a time, the worker leaves out messages of erased players.
   *
   * @throws ApiError where a message is not there, or its player was erased; Fault.
   */
  async resolve(plan: ResendPlan, request: ResendRequest): Promise<ResolvedResend> {
    const { endpointId } = request.endpoint;
    if (plan.kind === 'range') return this.ranges.find({ ...request, range: plan.range });
    if (plan.kind === 'failed') {
      const failed = await this.failed.findSendable(({ target }) => target === endpointId);
      const messages = failed.map(name);
      return { messages, restAfter: null };
    }
    return { messages: [await this.require(request.endpoint, plan)], restAfter: null };
  }

  private async require(
    { endpointId, appId }: ResendRequest['endpoint'],
    { messageId, place }: Extract<ResendPlan, { kind: 'message' }>,
  ): Promise<ResentMessage> {
    const found =
      (await this.find(endpointId, messageId)) ??
      (place && (await this.named.find(appId, { ...place, messageId })));
    const event = found && (await this.findEvent(found));
    if (found === undefined || event === undefined) {
      throw rejected({ code: 'webhook_endpoint/message_not_found' });
    }
    const { player } = event.metadata;
    if (player === undefined) return name(found);
    const access = await this.personalData.access({ appId, player, personal: {} });
    if (!access.wasErasedAfter(event.position)) return name(found);
    throw rejected({ code: 'webhook_endpoint/player_erased' });
  }

  /** The log is of one endpoint; given-up deliveries are looked for in the backups of all partitions. */
  private async find(endpointId: string, messageId: string): Promise<ResentMessage | undefined> {
    const wanted = { messageId, limit: 1, nowMs: Date.parse(wallClock.now()) };
    const { deliveries } = await this.log.readDeliveries(endpointId, wanted);
    const [logged] = deliveries;
    if (logged !== undefined) return logged;
    const [failed] = await this.failed.find(
      (each) => each.target === endpointId && each.messageId === messageId,
    );
    return failed;
  }

  private async findEvent(message: ResentMessage): Promise<RecordedEvent | undefined> {
    const { streamName, revision: fromRevision } = message;
    const events = this.store.readStream(streamName, { fromRevision, maxCount: 1 });
    for await (const event of events) return event;
    return undefined;
  }
}

function name({ streamName, revision, messageId }: ResentMessage): ResentMessage {
  return { streamName, revision, messageId };
}
