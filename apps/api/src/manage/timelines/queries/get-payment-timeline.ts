import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { paymentAggregate, totalTax } from '#domain/payment';
import type { EventStore } from '#event-store';
import { CommandContexts, EVENT_STORE, notFound, printed } from '#nest';
import { describePaymentEvent, printExplainedPayment, readTimeline } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../../tokens.js';
import type { PaymentTimelineDto } from '../timeline.dto.js';

/** The purpose, lines and history of an app's payment, from the event store (rules/operators 12). */
export class GetPaymentTimeline extends Query<PaymentTimelineDto> {
  constructor(
    readonly appId: string,
    readonly id: string,
  ) {
    super();
  }
}

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
