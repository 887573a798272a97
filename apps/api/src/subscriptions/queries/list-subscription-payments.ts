import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AppCaller, printed } from '#nest';
import type { StudioNames } from '#domain/personal-data';
import type { PaymentSummary } from '#domain/payment';
import type { ReadModels } from '#projection-engine';
import type { Document } from '#projection-engine/define';
import { payments } from '#projections';
import { printPayment } from '#representations';
import type { PersonalData } from '#tenancy';
import type { PageQuery } from '../../http/page.dto.js';
import { nameDocumentList, type PageTokens } from '../../http/page-token.js';
import { printingOnce } from '../../http/printing-once.js';
import type { PaymentListDto } from '../../payments/payment.dto.js';
import { PAGE_TOKENS, PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
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
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, caller, page }: ListSubscriptionPayments): Promise<PaymentListDto> {
    // Both are asked for in one round trip. Only the caller's own subscription lets the page be shown.
    const listing = this.#list(id, caller.appId, page);
    listing.catch(() => undefined);
    const { state } = await findSubscription(this.readModels, id, caller);
    const names = await this.personalData.names(state);
    const { documents, nextPageToken } = await listing;
    const payments = printPayments(documents, JSON.stringify(names));
    return printed(`{"payments":[${payments}],"nextPageToken":"${nextPageToken}"}`);
  }

  async #list(id: string, appId: string, { limit, pageToken }: PageQuery) {
    const list = nameDocumentList(payments, appId, id);
    const after = this.pageTokens.read(list, pageToken);
    const options = { limit, ...(after !== undefined && { after }) };
    const { documents, nextAfter } = await this.readModels.ask(payments).list(id, options);
    return { documents, nextPageToken: this.pageTokens.next(list, nextAfter) };
  }
}

/** All of a subscription are of one player, and of one purchase. */
const printPayments = printingOnce(({ state }: Document<PaymentSummary>, names) =>
  // They were printed above.
  printPayment(state, JSON.parse(names) as StudioNames),
);
