import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#domain/event';
import { planAggregate, priceIn } from '#domain/plan';
import { taxRatesAggregate } from '#domain/pricing';
import {
  type CurrencyMove,
  type OfferedPlan,
  renewedPlan,
  type StartedSubscription,
} from '#domain/subscription';
import { invalidFields, Ledger } from '#nest';
import type { ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { identifyDocumentList, type PageTokens } from '../../http/page-token.js';
import { PAGE_TOKENS, READ_MODELS } from '../../tokens.js';
import type { CurrencyChangesQuery } from './currency-change.dto.js';

/** The common part of a dry run and the command. */
type AskedMove = Pick<CurrencyChangesQuery, 'from' | 'to' | 'lockedPrices' | 'limit'> & {
  readonly pageToken?: string;
};

/** Subscriptions of an app that are renewed in a currency, and the move of each of them (rules/lifecycle 14). */
@Injectable()
export class CurrencyMoves {
  constructor(
    private readonly ledger: Ledger,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(PAGE_TOKENS) private readonly pageTokens: PageTokens,
  ) {}

  /**
   * A page of the subscriptions that are renewed, newest first, without those in other currencies. Dry run and command
   * go through the same list: a token of one is good for the other.
   *
   * @throws ApiError where both currencies are the same, or for a token of another list or order.
   */
  async findPage(appId: string, { from, to, limit, pageToken }: AskedMove) {
    if (from === to) {
      throw invalidFields([{ field: 'to', description: 'must be another currency than from' }]);
    }
    const list = identifyDocumentList(subscriptions, appId, 'renewed');
    const after = this.pageTokens.read(list, pageToken);
    const options = { limit, ...(after !== undefined && { after }) };
    const page = await this.readModels.ask(subscriptions).listRenewed(appId, options);
    const found = page.documents.map(({ state }) => state);
    return {
      subscriptions: found.filter(({ price }) => price.currency === from),
      nextPageToken: this.pageTokens.next(list, page.nextAfter),
    };
  }

  /** Prepares the move of a subscription, by the plans and tax rates of now: each is looked up once. */
  async prepare(
    { from, to, lockedPrices }: AskedMove,
    { appId, now }: { readonly appId: string; readonly now: Instant },
  ): Promise<(subscription: StartedSubscription) => Promise<CurrencyMove>> {
    const { state: taxRates } = await this.ledger.load(taxRatesAggregate, appId);
    const offers = new Map<string, Promise<OfferedPlan>>();
    return async (subscription) => {
      const plan = renewedPlan(subscription);
      const offered = offers.get(plan.planId) ?? this.findOffered(plan, from, to);
      offers.set(plan.planId, offered);
      return { from, to, offered: await offered, lockedPrices, taxRates, now };
    };
  }

  /** As the store has it. An archived plan is renewed as before, and so it is moved. */
  private async findOffered(
    { planId, period }: Pick<OfferedPlan, 'planId' | 'period'>,
    from: string,
    to: string,
  ): Promise<OfferedPlan> {
    const { state: plan } = await this.ledger.load(planAggregate, planId);
    if (plan.status === 'none') return { planId, period, formerPrice: null, price: null };
    const [formerPrice = null, price = null] = [priceIn(plan, from), priceIn(plan, to)];
    return { planId, period: plan.billingPeriod, formerPrice, price };
  }
}
