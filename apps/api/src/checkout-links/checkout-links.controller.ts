import { Body, Controller, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { type BodyConfig, CommandContext, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { Allow, ApiCreationHeaders } from '../auth/allow.decorator.js';
import { CheckoutLinkDto, CreateCheckoutLinkBody } from './checkout-link.dto.js';
import { CreateCheckoutLink, CreateCheckoutLinkHandler } from './commands/create-checkout-link.js';
import { CheckoutLinkChecks } from './link-rules.js';

/** The use cases behind the endpoints; the module provides them. */
export const CHECKOUT_LINK_HANDLERS = [CreateCheckoutLinkHandler];

@ApiTags('checkout')
@Allow('app')
@ApiCreationHeaders()
@Controller('sdk/subscriptions/checkout-links')
export class CheckoutLinksController {
  constructor(private readonly commands: CommandBus) {}

  /** Makes a link to a hosted page where one player buys one plan, once, within 24 hours (rules/payments 10). */
  @PostOk()
  @Refuses(
    'GATEWAY_NOT_CONFIGURED',
    'PLAN_ALREADY_HELD',
    'PLAN_NOT_AVAILABLE',
    'PLAN_NOT_FOUND',
    'REVISION_MISMATCH',
    'TRIAL_ALREADY_TAKEN',
  )
  @UseInterceptors(CheckoutLinkChecks)
  @RouteConfig({ freeNamesAt: ['metadata'] } satisfies BodyConfig)
  create(
    @Body() body: CreateCheckoutLinkBody,
    @CommandContext() context: CommandContext,
  ): Promise<CheckoutLinkDto> {
    return this.commands.execute(new CreateCheckoutLink({ link: body, context }));
  }
}
