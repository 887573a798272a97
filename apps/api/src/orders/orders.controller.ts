import { Body, Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, type BodyConfig, Caller, CommandContext, PostOk } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../auth/allow.decorator.js';
import { CheckoutLinkDto } from '../checkout-links/checkout-link.dto.js';
import { ConsistentBy, ConsistentRead } from '../http/consistency.guard.js';
import { CreatePaymentLink, CreatePaymentLinkHandler } from './commands/create-payment-link.js';
import { CreatePaymentLinkBody, OrderDto } from './order.dto.js';
import { GetOrder, GetOrderHandler } from './queries/get-order.js';
import { PaymentLinkChecks } from './order-rules.js';

/** The use cases behind the endpoints; the module provides them. */
export const ORDER_HANDLERS = [CreatePaymentLinkHandler, GetOrderHandler];

@ApiTags('orders')
@Allow('app')
@Controller('sdk/server')
export class OrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /**
   * Makes an order with a link to a hosted page where one player pays it, once, within 24 hours (rules/orders 1). The
   * same `transactionId` makes one order, as the same `Idempotency-Key` does.
   */
  @PostOk('checkout-links')
  @Refuses('GATEWAY_NOT_CONFIGURED', 'REVISION_MISMATCH')
  @UseInterceptors(PaymentLinkChecks)
  @RouteConfig({ freeNamesAt: ['metadata', 'items.*.metadata'] } satisfies BodyConfig)
  @ApiCreationHeaders()
  create(
    @Body() body: CreatePaymentLinkBody,
    @CommandContext() context: CommandContext,
  ): Promise<CheckoutLinkDto> {
    return this.commands.execute(new CreatePaymentLink({ order: body, context }));
  }

  /** One order by its id; refunds go by its `paymentId`. */
  @Get('orders/:id')
  @Refuses('ORDER_NOT_FOUND')
  @ConsistentRead('id')
  @AnswersWith('ETag')
  byId(
    @Caller() caller: AppCaller,
    @Param('id') id: string,
    @ConsistentBy() waitUntil?: number,
  ): Promise<OrderDto> {
    return this.queries.execute(new GetOrder({ id, caller, waitUntil }));
  }
}
