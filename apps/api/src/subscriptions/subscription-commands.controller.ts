import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCommandHeaders } from '../auth/allow.decorator.js';
import { EmptyBody } from '../http/empty-body.dto.js';
import {
  CancelSubscription,
  CancelSubscriptionHandler,
  ReactivateSubscription,
  ReactivateSubscriptionHandler,
} from './commands/subscription-changes.js';
import { CancelSubscriptionBody, SubscriptionDto } from './subscription.dto.js';

/** The use cases behind the endpoints; the module provides them. */
export const SUBSCRIPTION_COMMAND_HANDLERS = [
  CancelSubscriptionHandler,
  ReactivateSubscriptionHandler,
];

@ApiTags('subscriptions')
@Allow('player', 'app')
@ApiCommandHeaders()
@Controller('sdk/subscriptions/:id')
export class SubscriptionCommandsController {
  constructor(private readonly commands: CommandBus) {}

  /** Cancels: at the period's end by default, at once when past due (rules/lifecycle 6). */
  @PostOk('cancel')
  @Refuses('SUBSCRIPTION_EXPIRED', 'SUBSCRIPTION_NOT_FOUND')
  cancel(
    @Param('id') id: string,
    @Body() body: CancelSubscriptionBody,
    @CommandContext() context: CommandContext,
  ): Promise<SubscriptionDto> {
    return this.commands.execute(
      new CancelSubscription({ id, cancelAtPeriodEnd: body.cancel_at_period_end, context }),
    );
  }

  /** Takes a cancellation back while access lasts (rules/lifecycle 6). */
  @PostOk('reactivate')
  @Refuses(
    'ACCESS_ENDED',
    'SUBSCRIPTION_EXPIRED',
    'SUBSCRIPTION_NOT_CANCELED',
    'SUBSCRIPTION_NOT_FOUND',
  )
  reactivate(
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @CommandContext() context: CommandContext,
  ): Promise<SubscriptionDto> {
    return this.commands.execute(new ReactivateSubscription({ id, context }));
  }
}
