import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { subscriptionAggregate } from '#domain/subscription';
import type { EventStore } from '#event-store';
import { CommandContexts, EVENT_STORE, notFound } from '#nest';
import {
  describeNext,
  describeSubscriptionEvent,
  readTimeline,
  renderSubscription,
} from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../../tokens.js';
import type { SubscriptionTimelineDto } from '../timeline.dto.js';

/** The history of an app's subscription, from the event store (rules/operators 12). */
export class GetSubscriptionTimeline extends Query<SubscriptionTimelineDto> {
  constructor(
    readonly appId: string,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetSubscriptionTimeline)
export class GetSubscriptionTimelineHandler implements IQueryHandler<GetSubscriptionTimeline> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ appId, id }: GetSubscriptionTimeline): Promise<SubscriptionTimelineDto> {
    await this.contexts.requireApp(appId);
    const { store } = this;
    const told = await readTimeline(store, subscriptionAggregate, id, describeSubscriptionEvent);
    const { state, events } = told;
    if (state.status === 'none' || state.appId !== appId) throw notFound('subscription', id);
    const subscription = renderSubscription(state, await this.personalData.names(state));
    const { at, why } = describeNext(state);
    return { subscription, player: state.player, next: { at: at ?? '', why }, events: [...events] };
  }
}
