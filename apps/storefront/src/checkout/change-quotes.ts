import { Injectable } from '@nestjs/common';
import { laterInstant } from '#domain/calendar';
import { checkoutLinkAggregate, type CreatedCheckoutLink, type Offer } from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import { noPayment, paymentAggregate } from '#domain/payment';
import { taxRatesAggregate } from '#domain/pricing';
import {
  findPayer,
  quoteAsShown,
  quoteRefund,
  type QuotedWithRefund,
  renewedPlan,
  subscriptionAggregate,
} from '#domain/subscription';
import { Ledger } from '#nest';
import { assertDefect } from '#platform';

/** The price of a link's change, by the same decision that charges for it (rules/payments 18). */
@Injectable()
export class ChangeQuotes {
  constructor(private readonly ledger: Ledger) {}

  /** As it is now, or was shown while that holds. @returns undefined for a link that sells a subscription. */
  async find(
    { linkId, change, offer, appId, status }: CreatedCheckoutLink,
    { now, quotedAt }: { readonly now: Instant; readonly quotedAt: Instant | null },
  ): Promise<QuotedWithRefund | undefined> {
    if (change === null) return undefined;
    const [{ state, lastOccurredAt: changedAt }, { state: taxRates }, { lastOccurredAt: linkAt }] =
      await Promise.all([
        this.ledger.load(subscriptionAggregate, change.subscriptionId),
        this.ledger.load(taxRatesAggregate, appId),
        this.ledger.load(checkoutLinkAggregate, linkId),
      ]);
    assertDefect(state.status !== 'none', 'a link that changes no subscription');
    const { planId, price, period } = offer;
    const wanted = {
      plan: change.kind === 'plan' ? { planId, price, period } : null,
      amountMinor: change.amountMinor,
      restartsPeriod: change.restartsPeriod,
      unusedCredit: change.unusedCredit,
    };
    // Its own attempt does not stand in its way: once that is declined, the next click is priced so.
    const isOwn = status === 'attempting' && state.pendingChange?.linkId === linkId;
    const free = isOwn ? { ...state, pendingChange: null } : state;
    // The attempt is not before the last event of its link, nor is the decision on it before the subscription's: on a
    // clock that is behind, it would be agreed to at another price (rules/events 3).
    const at = laterInstant(now, laterInstant(changedAt, linkAt));
    const quoted = quoteAsShown(free, wanted, { taxRates, quotedAt, now: at });
    const payer = findPayer(quoted, state);
    if (payer === null) return quoteRefund(quoted, noPayment);
    const { state: payment } = await this.ledger.load(paymentAggregate, payer);
    return quoteRefund(quoted, payment);
  }

  /**
   * The offer on the page of a link. That of a payment method has the plan's renewal price, which is another one once
   * the subscription moves to another currency (rules/lifecycle 14).
   */
  async findOffer({ change, offer }: CreatedCheckoutLink): Promise<Offer> {
    if (change?.kind !== 'payment_method') return offer;
    const { state } = await this.ledger.load(subscriptionAggregate, change.subscriptionId);
    assertDefect(state.status !== 'none', 'a link that changes no subscription');
    const { planId, price, period } = renewedPlan(state);
    return planId === offer.planId ? { ...offer, price, period } : offer;
  }
}
