import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { PaymentSummary } from '#domain/payment';
import type { StudioNames } from '#domain/personal-data';
import { type AppCaller, isCallers, notFound, printed, queryWith } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { Document } from '#projection-engine/define';
import { payments, subscriptions } from '#projections';
import { printPayment, renderSubscription } from '#representations';
import type { PersonalData } from '#tenancy';
import { Players } from '../../commands/player-links.js';
import { identifyDocumentList, type PageTokens } from '../../http/page-token.js';
import type { PageQuery } from '../../http/page.dto.js';
import { printingOnce } from '../../http/printing-once.js';
import type { PaymentListDto } from '../../payments/payment.dto.js';
import { PAGE_TOKENS, PERSONAL_DATA, READ_MODELS } from '../../tokens.js';
import type {
  SubscriptionDto,
  SubscriptionListDto,
  SubscriptionListQuery,
} from '../subscription.dto.js';

/** @throws ApiError where there is none, or none of the caller's: both are answered alike. */
async function findSubscription(readModels: ReadModels, id: string, caller: AppCaller) {
  const found = await readModels.ask(subscriptions).byId(id);
  if (found === undefined || !isCallers(caller, found.state)) throw notFound('subscription', id);
  return found;
}

/** One subscription of the caller's. */
export class GetSubscription extends queryWith<
  { id: string; caller: AppCaller },
  SubscriptionDto
>() {}

@QueryHandler(GetSubscription)
export class GetSubscriptionHandler implements IQueryHandler<GetSubscription> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ id, caller }: GetSubscription): Promise<SubscriptionDto> {
    const { state, revision } = await findSubscription(this.readModels, id, caller);
    const { personalData } = this;
    const names = personalData.recallNames(state) ?? (await personalData.names(state));
    return printed(JSON.stringify(renderSubscription(state, names)), { revision });
  }
}

/** A page of subscriptions, newest first: a player's own, or any of the app. */
export class ListSubscriptions extends queryWith<
  { caller: AppCaller; filters: SubscriptionListQuery },
  SubscriptionListDto
>() {}

@QueryHandler(ListSubscriptions)
export class ListSubscriptionsHandler implements IQueryHandler<ListSubscriptions> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    private readonly players: Players,
  ) {}

  async execute({ caller, filters }: ListSubscriptions): Promise<SubscriptionListDto> {
    const { externalAccountId: asked, status, limit, pageToken } = filters;
    const wanted = asked === undefined ? undefined : await this.players.find(caller.appId, asked);
    const player = caller.kind === 'player' ? caller.player : wanted;
    // A player who asks for another's subscriptions gets none.
    if (wanted !== undefined && wanted !== player) return { subscriptions: [], nextPageToken: '' };
    const list = identifyDocumentList(subscriptions, caller.appId, player, status);
    const after = this.pageTokens.read(list, pageToken);
    const { documents, nextAfter } = await this.readModels.ask(subscriptions).list(caller.appId, {
      ...{ limit, player, status, after },
    });
    const shown = await Promise.all(
      documents.map(async ({ state }) =>
        renderSubscription(state, await this.personalData.names(state)),
      ),
    );
    return { subscriptions: shown, nextPageToken: this.pageTokens.next(list, nextAfter) };
  }
}

/** A page of the payments of a subscription, newest first (rules/api 16). */
export class ListSubscriptionPayments extends queryWith<
  { id: string; caller: AppCaller; page: PageQuery },
  PaymentListDto
>() {}

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
    const list = identifyDocumentList(payments, appId, id);
    const page = { limit, after: this.pageTokens.read(list, pageToken) };
    const { documents, nextAfter } = await this.readModels.ask(payments).list(id, page);
    return { documents, nextPageToken: this.pageTokens.next(list, nextAfter) };
  }
}

/** All of a subscription are of one player, and of one purchase. */
const printPayments = printingOnce(({ state }: Document<PaymentSummary>, names) =>
  // They were printed above.
  printPayment(state, JSON.parse(names) as StudioNames),
);
