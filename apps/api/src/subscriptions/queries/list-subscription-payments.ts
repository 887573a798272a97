import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AppCaller } from '#nest';
import type { ReadModels } from '#projection-engine';
import { payments } from '#projections';
import { renderPayment } from '#representations';
import type { PageQuery } from '../../http/page.dto.js';
import type { PageTokens } from '../../http/page-token.js';
import type { PaymentListDto } from '../../payments/payment.dto.js';
import { PAGE_TOKENS, READ_MODELS } from '../../tokens.js';
import { findSubscription } from './find-subscription.js';

/** A page of the payments of a subscription, newest first (rules/api 16). */
export class ListSubscriptionPayments extends Query<PaymentListDto> {
  constructor(
    readonly id: string,
    readonly caller: AppCaller,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListSubscriptionPayments)
export class ListSubscriptionPaymentsHandler implements IQueryHandler<ListSubscriptionPayments> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  async execute({ id, caller, page }: ListSubscriptionPayments): Promise<PaymentListDto> {
    const { state } = await findSubscription(this.readModels, id, caller);
    const list = JSON.stringify(['payments', state.appId, id]);
    const after = this.pageTokens.read(list, page.pageToken);
    const { documents, nextAfter } = await this.readModels.ask(payments).list(id, {
      limit: page.limit,
      ...(after !== undefined && { after }),
    });
    return {
      payments: documents.map((payment) => renderPayment(payment.state)),
      nextPageToken: this.pageTokens.next(list, nextAfter),
    };
  }
}
