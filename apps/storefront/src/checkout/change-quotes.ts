import { Injectable } from '@nestjs/common';
import type { CreatedCheckoutLink } from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import { taxRatesAggregate } from '#domain/pricing';
import { type QuotedChange, quoteChange, subscriptionAggregate } from '#domain/subscription';
import { Ledger } from '#nest';
import { assertDefect } from '#platform';

/** What the change of a link comes to now, by the same decision that charges for it (rules/payments 18). */
@Injectable()
export class ChangeQuotes {
  constructor(private readonly ledger: Ledger) {}

  /** @returns undefined for a link that sells a subscription. */
  async find(
    { change, offer, appId }: CreatedCheckoutLink,
    now: Instant,
  ): Promise<QuotedChange | undefined> {
    if (change === null) return undefined;
    const [{ state }, { state: taxRates }] = await Promise.all([
      this.ledger.load(subscriptionAggregate, change.subscriptionId),
      this.ledger.load(taxRatesAggregate, appId),
    ]);
    assertDefect(state.status !== 'none', 'a link that changes no subscription');
    const { planId, price, period } = offer;
    const wanted = {
      plan: change.kind === 'plan' ? { planId, price, period } : null,
      amountMinor: change.amountMinor,
      restartsPeriod: change.restartsPeriod,
    };
    return quoteChange(state, wanted, { taxRates, now });
  }
}
