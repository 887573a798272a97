import { Body, Controller, Param, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../auth/allow.decorator.js';
import { ChangeLinkDto, CreateChangeLinkBody } from './change-link.dto.js';
import { ChangeLinks } from './commands/change-links.js';
import { ChangeSubscription, ChangeSubscriptionHandler } from './commands/change-subscription.js';
import { ScheduledChanges } from './commands/scheduled-changes.js';
import { WantedPlans } from './commands/wanted-plans.js';
import { ChangeLinkChecks } from './change-link-rules.js';

/** The use cases behind the endpoint; the module provides them. */
export const CHANGE_LINK_HANDLERS = [
  ChangeSubscriptionHandler,
  ChangeLinks,
  ScheduledChanges,
  WantedPlans,
];

@ApiTags('checkout')
@Allow('app')
@ApiCreationHeaders()
@Controller('sdk/subscriptions')
export class ChangeLinksController {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Makes a link to a page where a player changes the plan, or the payment method, of a subscription
   * (rules/payments 18). A plan that costs no more for a day needs no page: it begins when the period is
   * over.
   */
  @PostOk(':id/change-checkout-links')
  @Refuses(
    'CHARGE_PENDING',
    'CURRENCY_CHANGED',
    'CURRENCY_CHANGING',
    'GATEWAY_NOT_CONFIGURED',
    'PAYMENT_NOT_FOUND',
    'PAYMENT_NOT_REFUNDABLE',
    'PLAN_ALREADY_HELD',
    'PLAN_NOT_AVAILABLE',
    'PLAN_NOT_FOUND',
    'PLAN_UNCHANGED',
    'REFUND_EXCEEDS_REMAINING',
    'REFUND_NOT_FOUND',
    'REVISION_MISMATCH',
    'SUBSCRIPTION_CANCELED',
    'SUBSCRIPTION_CHANGED',
    'SUBSCRIPTION_EXPIRED',
    'SUBSCRIPTION_NOT_FOUND',
    'TOO_MANY_REFUNDS',
    'TRIAL_ALREADY_TAKEN',
    'UNUSED_CREDIT',
    'UNUSED_CREDIT_NOT_REFUNDABLE',
  )
  @UseInterceptors(ChangeLinkChecks)
  create(
    @Param('id') id: string,
    @Body() body: CreateChangeLinkBody,
    @CommandContext() context: CommandContext,
  ): Promise<ChangeLinkDto> {
    return this.commands.execute(new ChangeSubscription({ id, body, context }));
  }
}
