import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { type AppCaller, Caller } from '#nest';
import { AnswersWith, Refuses } from '#openapi';
import { Allow } from '../auth/allow.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { PageQuery } from '../http/page.dto.js';
import { PaymentListDto } from '../payments/payment.dto.js';
import {
  GetSubscription,
  GetSubscriptionHandler,
  ListSubscriptionPayments,
  ListSubscriptionPaymentsHandler,
  ListSubscriptions,
  ListSubscriptionsHandler,
} from './queries/read-subscriptions.js';
import { SubscriptionDto, SubscriptionListDto, SubscriptionListQuery } from './subscription.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const SUBSCRIPTION_QUERY_HANDLERS = [
  GetSubscriptionHandler,
  ListSubscriptionsHandler,
  ListSubscriptionPaymentsHandler,
];

@ApiTags('subscriptions')
@Allow('player', 'app')
@Controller('sdk/subscriptions')
export class SubscriptionsController {
  constructor(private readonly queries: QueryBus) {}

  /** Lists subscriptions, newest first: a player's own, or any of the app. */
  @Get()
  @Refuses('LIST_ORDER_CHANGED')
  @ConsistentRead('player')
  list(
    @Caller() caller: AppCaller,
    @Query() query: SubscriptionListQuery,
  ): Promise<SubscriptionListDto> {
    return this.queries.execute(new ListSubscriptions({ caller, filters: query }));
  }

  /** One subscription. */
  @Get(':id')
  @Refuses('SUBSCRIPTION_NOT_FOUND')
  @ConsistentRead('id')
  @AnswersWith('ETag')
  byId(@Caller() caller: AppCaller, @Param('id') id: string): Promise<SubscriptionDto> {
    return this.queries.execute(new GetSubscription({ id, caller }));
  }

  /** The payments of a subscription, newest first (rules/api 16). */
  @Get(':id/payments')
  @Refuses('LIST_ORDER_CHANGED', 'SUBSCRIPTION_NOT_FOUND')
  @ConsistentRead('id')
  payments(
    @Caller() caller: AppCaller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<PaymentListDto> {
    return this.queries.execute(new ListSubscriptionPayments({ id, caller, page: query }));
  }
}
