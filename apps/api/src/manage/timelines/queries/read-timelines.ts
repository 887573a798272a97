import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { paymentAggregate, totalTax } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import type { EventStore } from '#event-store';
import { CommandContexts, EVENT_STORE, notFound, printed, queryWith } from '#nest';
import {
  describeNext,
  describePaymentEvent,
  describeSubscriptionEvent,
  printExplainedPayment,
  readTimeline,
  renderSubscription,
} from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../../tokens.js';
import type { PaymentTimelineDto, SubscriptionTimelineDto } from '../timeline.dto.js';

/** The purpose, lines and history of an app's payment, from the event store (rules/operators 12). */
export class GetPaymentTimeline extends queryWith<
  { appId: string; id: string },
  PaymentTimelineDto
>() {}

@QueryHandler(GetPaymentTimeline)
export class GetPaymentTimelineHandler implements IQueryHandler<GetPaymentTimeline> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'readStream'>,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ appId, id }: GetPaymentTimeline): Promise<PaymentTimelineDto> {
    await this.contexts.requireApp(appId);
    const told = await readTimeline(this.store, paymentAggregate, id, describePaymentEvent);
    const { state, events } = told;
    if (state.status === 'none' || state.appId !== appId) throw notFound('payment', id);
    const shown = { ...state, tax: totalTax(state.lines) };
    const names = await this.personalData.names(state);
    const payment = printExplainedPayment(shown, names, state.lines);
    const rest = JSON.stringify({ player: state.player, events });
    return printed(`{"payment":${payment},${rest.slice(1)}`);
  }
}

/** The history of an app's subscription, from the event store (rules/operators 12). */
export class GetSubscriptionTimeline extends queryWith<
  { appId: string; id: string },
  SubscriptionTimelineDto
>() {}

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
