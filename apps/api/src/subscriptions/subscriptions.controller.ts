import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appCallerOf, isCallers, notFound, setRevision } from '#nest';
import type { ReadModels } from '#projection-engine';
import { renderPayment, renderSubscription } from '#representations';
import { Callers } from '../auth/callers.decorator.js';
import { ConsistentRead } from '../http/consistency.guard.js';
import { PageQuery } from '../http/page.dto.js';
import type { PageTokens } from '../http/page-token.js';
import { AnswersWith } from '../openapi/answer-headers.js';
import { PaymentListDto } from '../payments/payment.dto.js';
import { PAGE_TOKENS, READ_MODELS } from '../tokens.js';
import { SubscriptionDto, SubscriptionListDto, SubscriptionListQuery } from './subscription.dto.js';

@ApiTags('subscriptions')
@ConsistentRead()
@Callers('player', 'app')
@Controller('sdk/subscriptions')
export class SubscriptionsController {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  /** Lists subscriptions, newest first: a player's own, or any of the app. */
  @Get()
  async list(
    @Req() request: FastifyRequest,
    @Query() query: SubscriptionListQuery,
  ): Promise<SubscriptionListDto> {
    const caller = appCallerOf(request);
    const { appId } = caller;
    const asked = query.externalAccountId;
    const player = caller.kind === 'player' ? caller.externalAccountId : asked;
    // A player who asks for another's subscriptions gets what exists for them: none.
    if (asked !== undefined && asked !== player) return { subscriptions: [], nextPageToken: '' };
    const list = JSON.stringify(['subscriptions', appId, player, query.status]);
    const after = this.pageTokens.read(list, query.pageToken);
    const { documents, nextAfter } = await this.readModels.subscriptions({
      appId,
      limit: query.limit,
      ...(player !== undefined && { externalAccountId: player }),
      ...(query.status !== undefined && { status: query.status }),
      ...(after !== undefined && { after }),
    });
    return {
      subscriptions: documents.map(({ state }) => renderSubscription(state)),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }

  /** One subscription. */
  @Get(':id')
  @AnswersWith('ETag')
  async byId(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<SubscriptionDto> {
    const { state, revision } = await this.findFor(request, id);
    setRevision(reply, revision);
    return renderSubscription(state);
  }

  /** The payments of a subscription, newest first (rules/api 16). */
  @Get(':id/payments')
  async payments(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<PaymentListDto> {
    const { state } = await this.findFor(request, id);
    const list = JSON.stringify(['payments', state.appId, id]);
    const after = this.pageTokens.read(list, query.pageToken);
    const { documents, nextAfter } = await this.readModels.paymentsOf(id, {
      limit: query.limit,
      ...(after !== undefined && { after }),
    });
    return {
      payments: documents.map((payment) => renderPayment(payment.state)),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }

  private async findFor(request: FastifyRequest, id: string) {
    const found = await this.readModels.subscription(id);
    if (found === undefined || !isCallers(appCallerOf(request), found.state)) {
      throw notFound('subscription', id);
    }
    return found;
  }
}
