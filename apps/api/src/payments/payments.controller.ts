import { Body, Controller, Get, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, Caller, CommandContext, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../auth/allow.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { RefundOutcome } from './commands/refund-outcome.js';
import { RefundPayment, RefundPaymentHandler, REFUSES_REFUND } from './commands/refund-payment.js';
import { ExplainedPaymentDto, PaymentDto, RefundPaymentBody } from './payment.dto.js';
import { GetPayment, GetPaymentHandler } from './queries/get-payment.js';

/** The use cases behind the endpoints; the module provides them. */
export const PAYMENT_HANDLERS = [GetPaymentHandler, RefundPaymentHandler, RefundOutcome];

@ApiTags('payments')
@Allow('app')
@Controller('sdk/server/payments')
export class PaymentsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  /** One payment by its id, with its lines (rules/payments 8). */
  @Get(':id')
  @Refuses('PAYMENT_NOT_FOUND')
  @ConsistentRead('id')
  @AnswersWith('ETag')
  byId(@Caller() caller: AppCaller, @Param('id') id: string): Promise<ExplainedPaymentDto> {
    return this.queries.execute(new GetPayment({ id, caller }));
  }

  /** Gives back a part of a payment, or all that is left of it (rules/payments 13). */
  @PostOk(':id/refunds')
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
