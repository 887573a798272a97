import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, Caller } from '#nest';
import { Allow } from '../auth/allow.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { PaymentDto } from './payment.dto.js';
import { GetPayment, GetPaymentHandler } from './queries/get-payment.js';

/** The use cases behind the endpoints; the module provides them. */
export const PAYMENT_HANDLERS = [GetPaymentHandler];

@ApiTags('payments')
@Allow('app')
@Controller('sdk/server/payments')
export class PaymentsController {
  constructor(private readonly queries: QueryBus) {}

  /** One payment by its id. */
  @Get(':id')
  @ConsistentRead('id')
  @AnswersWith('ETag')
  byId(@Caller() caller: AppCaller, @Param('id') id: string): Promise<PaymentDto> {
    return this.queries.execute(new GetPayment(id, caller));
  }
}
