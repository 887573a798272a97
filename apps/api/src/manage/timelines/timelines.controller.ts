import { Body, Controller, Get, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../../auth/allow.decorator.js';
import { RefundPayment, REFUSES_REFUND } from '../../payments/commands/refund-payment.js';
import { PaymentDto, RefundPaymentBody } from '../../payments/payment.dto.js';
import {
  GetPaymentTimeline,
  GetPaymentTimelineHandler,
  GetSubscriptionTimeline,
  GetSubscriptionTimelineHandler,
} from './queries/read-timelines.js';
import { PaymentTimelineDto, SubscriptionTimelineDto } from './timeline.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const TIMELINE_HANDLERS = [GetPaymentTimelineHandler, GetSubscriptionTimelineHandler];

/** The pages and actions of operators when a player or a studio asks. */
@ApiTags('management: subscriptions and payments')
@Allow('operator')
@Controller('manage/apps/:appId')
export class TimelinesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  /** The history of a subscription in plain words, its next step, and why (rules/operators 12). */
  @Get('subscriptions/:id/timeline')
  @Refuses('SUBSCRIPTION_NOT_FOUND')
  subscription(
    @Param('appId') appId: string,
    @Param('id') id: string,
  ): Promise<SubscriptionTimelineDto> {
    return this.queries.execute(new GetSubscriptionTimeline({ appId, id }));
  }

  /** A payment with its lines, and its history in plain words (rules/operators 12). */
  @Get('payments/:id/timeline')
  @Refuses('PAYMENT_NOT_FOUND')
  payment(@Param('appId') appId: string, @Param('id') id: string): Promise<PaymentTimelineDto> {
    return this.queries.execute(new GetPaymentTimeline({ appId, id }));
  }

  /** Gives back a part of a payment, or all that is left of it (rules/payments 13). */
  @PostOk('payments/:id/refunds')
  @REFUSES_REFUND
  @ApiCommandHeaders()
  refund(
    @Param('id') id: string,
    @Body() body: RefundPaymentBody,
    @CommandContext() context: CommandContext,
  ): Promise<PaymentDto> {
    return this.commands.execute(new RefundPayment({ id, amountCents: body.amountCents, context }));
  }
}
