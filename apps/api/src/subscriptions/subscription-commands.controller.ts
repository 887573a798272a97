import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Subscription,
  subscriptionAggregate,
  type SubscriptionCommand,
} from '#domain/subscription';
import type { CommandContext } from '#event-store';
import { type AppCaller, appCallerOf, CommandContexts, isCallers, setCommandHeaders } from '#nest';
import { assertDefect } from '#platform';
import { renderSubscription } from '#representations';
import { ApiCommandHeaders, Callers } from '../auth/callers.decorator.js';
import { RunCommand } from '../commands/run-command.js';
import { EmptyBody } from '../http/empty-body.dto.js';
import { CancelSubscriptionBody, SubscriptionDto } from './subscription.dto.js';

@ApiTags('subscriptions')
@Callers('player', 'app')
@ApiCommandHeaders()
@Controller('sdk/subscriptions/:id')
export class SubscriptionCommandsController {
  constructor(
    private readonly bus: CommandBus,
    private readonly contexts: CommandContexts,
  ) {}

  /** Cancels: at the period's end by default, at once when past due (rules/lifecycle 6). */
  @Post('cancel')
  @HttpCode(200)
  async cancel(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Body() body: CancelSubscriptionBody,
  ): Promise<SubscriptionDto> {
    const cancelAtPeriodEnd = body.cancel_at_period_end;
    return this.run(request, reply, id, ({ now }) => ({
      kind: 'CancelSubscription',
      cancelAtPeriodEnd,
      now,
    }));
  }

  /** Takes a cancellation back while access lasts (rules/lifecycle 6). */
  @Post('reactivate')
  @HttpCode(200)
  async reactivate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<SubscriptionDto> {
    return this.run(request, reply, id, ({ now }) => ({ kind: 'ReactivateSubscription', now }));
  }

  private async run(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    commandAt: (context: CommandContext) => SubscriptionCommand,
  ): Promise<SubscriptionDto> {
    const caller = appCallerOf(request);
    const context = await this.contexts.withIdempotency(request, caller.appId);
    const result = await this.bus.execute(
      new RunCommand(subscriptionAggregate, id, commandAt(context), context, {
        what: 'subscription',
        mayAct: (state) => isTheirs(caller, state),
        playerOf: (state) => (state.status === 'none' ? undefined : state.externalAccountId),
      }),
    );
    setCommandHeaders(reply, result);
    assertDefect(result.state.status !== 'none', 'a command accepted by no subscription');
    return renderSubscription(result.state);
  }
}

function isTheirs(caller: AppCaller, state: Subscription): boolean {
  return state.status !== 'none' && isCallers(caller, state);
}
