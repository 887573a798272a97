import { addMilliseconds, type Period } from '#domain/calendar';
import { checkoutLinkAggregate, lastAttempt } from '#domain/checkout-link';
import {
  findBounds,
  NO_BOUNDS,
  type PlayerBounds,
  playerPlansAggregate,
} from '#domain/player-plans';
import { noTaxRates } from '#domain/pricing';
import { renewedPlan, scheduleClaim, subscriptionAggregate } from '#domain/subscription';
import { present, World } from './world.js';

const BOUGHT = '2027-01-31T10:00:00.000Z';
const HOUR_MS = 3_600_000;
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const month = { value: 1, unit: 'month' } as const;

/** A plan that a link offers, with its bounds. */
export interface BoundedPlan extends Partial<PlayerBounds> {
  readonly planId: string;
  readonly trial?: Period;
  /** 999 where it is left out. */
  readonly cents?: number;
}

/** A player who opens links to plans that are bounded, and the outcomes. */
export class PlanPlayer {
  readonly world = new World(BOUGHT);
  #calls = 0;

  /** Opens a link to the plan. */
  open(linkId: string, plan: BoundedPlan): void {
    const link = makeLink(linkId, plan);
    this.world.run(checkoutLinkAggregate, linkId, { kind: 'CreateCheckoutLink', link });
  }

  /** Clicks on the page of a link, an hour after the last time. @returns the outcome. */
  click(linkId: string, paymentMethod = 'pm_ok'): string {
    this.world.now = addMilliseconds(this.world.now, HOUR_MS);
    const { now } = this.world;
    this.world.run(checkoutLinkAggregate, linkId, {
      ...{ kind: 'AttemptCheckout', paymentMethod, planIsAvailable: true, playerIsErased: false },
      ...{ taxRates: noTaxRates, now, wallNow: now },
      shown: { amountMinor: '100000', currency: 'USD' },
    });
    return this.outcome(linkId);
  }

  /** Opens a link to the plan and clicks. */
  buy(linkId: string, plan: BoundedPlan, paymentMethod = 'pm_ok'): string {
    this.open(linkId, plan);
    return this.click(linkId, paymentMethod);
  }

  /** The outcome of the last attempt on a link: why it was refused, else the status of the link. */
  outcome(linkId: string): string {
    const link = present(this.world.foldedState(checkoutLinkAggregate, linkId));
    return lastAttempt(link)?.refusal ?? link.status;
  }

  /** Opens a link that changes the subscription of another link, for the plan's price difference. */
  openChange(linkId: string, of: string, plan: BoundedPlan): void {
    const kind = 'plan' as const;
    const subscriptionId = this.subscriptionId(of);
    const wanted = { amountMinor: null, restartsPeriod: false, unusedCredit: 'forfeit' as const };
    const link = { ...makeLink(linkId, plan), change: { kind, subscriptionId, ...wanted } };
    this.world.run(checkoutLinkAggregate, linkId, { kind: 'CreateChangeLink', link });
  }

  /** Lets the subscription of a link change when its period is over. */
  schedule(linkId: string, plan: BoundedPlan): string | undefined {
    const { now } = this.world;
    const { planId, price, period, bounds } = makeOffer(plan);
    const subscriptionId = this.subscriptionId(linkId);
    const claim = scheduleClaim(subscriptionId, bounds, `call-${(this.#calls += 1)}`);
    const wanted = {
      ...{ plan: { planId, price, period }, amountMinor: null, restartsPeriod: false },
      unusedCredit: 'forfeit' as const,
    };
    const claimed = claim === undefined ? {} : { claim };
    const command = { kind: 'SchedulePlanChange', wanted, now, ...claimed } as const;
    return this.world.run(subscriptionAggregate, subscriptionId, command);
  }

  /** Moves the subscription of a link to EUR with its next renewal, whatever its plan costs there. */
  moveCurrency(linkId: string): string | undefined {
    const { now } = this.world;
    const subscriptionId = this.subscriptionId(linkId);
    const subscription = present(this.world.foldedState(subscriptionAggregate, subscriptionId));
    const { planId, price: formerPrice, period } = renewedPlan(subscription);
    const price = { amountMinor: '499', currency: 'EUR' };
    return this.world.run(subscriptionAggregate, subscriptionId, {
      ...{ kind: 'ChangeCurrency', from: formerPrice.currency, to: price.currency, now },
      ...{ offered: { planId, period, formerPrice, price }, lockedPrices: 'keep' },
      taxRates: noTaxRates,
    });
  }

  /** Takes the cancel of the subscription of a link back. */
  reactivate(linkId: string): void {
    const { now } = this.world;
    const command = { kind: 'ReactivateSubscription', now } as const;
    this.world.run(subscriptionAggregate, this.subscriptionId(linkId), command);
  }

  /** Ends the subscription of a link, at once or with its period. */
  cancel(linkId: string, cancelAtPeriodEnd: boolean): void {
    const { now } = this.world;
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd, now } as const;
    this.world.run(subscriptionAggregate, this.subscriptionId(linkId), command);
  }

  advance(linkId: string, to: string): void {
    this.world.advance(this.subscriptionId(linkId), to);
  }

  subscriptionId(linkId: string): string {
    const link = present(this.world.foldedState(checkoutLinkAggregate, linkId));
    return lastAttempt(link)?.subscriptionId ?? '';
  }

  status(linkId: string): string {
    return this.world.foldedState(subscriptionAggregate, this.subscriptionId(linkId)).status;
  }

  /** The plan of a subscription, and the one that waits for the end of its period. */
  plans(linkId: string): (string | undefined)[] {
    const id = this.subscriptionId(linkId);
    const { planId, scheduledChange } = present(this.world.foldedState(subscriptionAggregate, id));
    return [planId, scheduledChange?.plan.planId];
  }

  /** The claims that are held. */
  held(): string[] {
    const { held } = this.world.foldedState(playerPlansAggregate, PLAYER);
    return held.map(({ claimId }) => claimId);
  }
}

function makeOffer({ planId, trial, cents = 999, ...bounds }: BoundedPlan) {
  return {
    ...{ planId, planName: planId, planDescription: '', period: month, trial: trial ?? null },
    price: { amountMinor: String(cents), currency: 'USD' },
    bounds: findBounds({ ...NO_BOUNDS, ...bounds, trial: trial ?? null }),
  };
}

function makeLink(linkId: string, plan: BoundedPlan) {
  return {
    ...{ linkId, appId: 'app_1', player: PLAYER, offer: makeOffer(plan), regionCode: 'US' },
    ...{ language: '', returnUrl: '', personal: {}, createdAt: BOUGHT },
    expiresAt: '9999-01-01T00:00:00.000Z',
  };
}
