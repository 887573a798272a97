import { Injectable } from '@nestjs/common';
import type { Offer } from '#domain/checkout-link';
import { planAggregate } from '#domain/plan';
import type { StartedSubscription, WantedChange } from '#domain/subscription';
import { type CommandContext, Ledger } from '#nest';
import { CheckoutOffers } from '../../checkout-links/checkout-offers.js';
import type { CreateChangeLinkBody } from '../change-link.dto.js';

/** A change that is wanted, and the offer on its page. */
interface OfferedChange {
  readonly wanted: WantedChange;
  readonly offer: Offer;
}

/** The change that a call wants: the plan as the store has it, in the subscription's own currency. */
@Injectable()
export class WantedPlans {
  constructor(
    private readonly ledger: Ledger,
    private readonly offers: CheckoutOffers,
  ) {}

  /** @throws ApiError for a plan that is not for sale, or not in this currency. */
  async find(
    body: Pick<CreateChangeLinkBody, 'plan' | 'amountCents' | 'restartPeriod' | 'unusedCredit'>,
    subscription: StartedSubscription,
    { appId, now }: CommandContext,
  ): Promise<OfferedChange> {
    if (body.plan === undefined) return this.keepPlan(subscription);
    const { currency } = subscription.price;
    const found = await this.offers.find(appId, { plan: body.plan, currency }, now, 'plan');
    // A player who has a subscription already has no trial.
    const offer = { ...found, trial: null };
    const { planId, price, period } = offer;
    const wanted = {
      plan: { planId, price, period },
      amountMinor: body.amountCents ?? null,
      restartsPeriod: body.restartPeriod ?? false,
      unusedCredit: body.unusedCredit ?? 'forfeit',
    };
    return { wanted, offer };
  }

  /** The page of a payment method tells of the plan that there is, at the price that the player has. */
  private async keepPlan({ planId, price, period }: StartedSubscription): Promise<OfferedChange> {
    const { state: plan } = await this.ledger.load(planAggregate, planId);
    const named = plan.status === 'none' ? { name: '', description: '' } : plan;
    return {
      wanted: { plan: null, amountMinor: null, restartsPeriod: false, unusedCredit: 'forfeit' },
      offer: {
        ...{ planId, planName: named.name, planDescription: named.description },
        ...{ price, period, trial: null, bounds: null },
      },
    };
  }
}
