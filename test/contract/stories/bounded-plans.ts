import { addMilliseconds, type Period } from '#domain/calendar';
import { checkoutLinkAggregate, lastAttempt } from '#domain/checkout-link';
import { NO_BOUNDS, type PlayerBounds, playerPlansAggregate } from '#domain/player-plans';
import { noTaxRates } from '#domain/pricing';
import { subscriptionAggregate } from '#domain/subscription';
import { present, World } from './world.js';

const BOUGHT = '2027-01-31T10:00:00.000Z';
const HOUR_MS = 3_600_000;
const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
const month = { value: 1, unit: 'month' } as const;

/** A plan that a link offers, with its bounds. */
export interface BoundedPlan extends Partial<PlayerBounds> {
  readonly planId: string;
  readonly trial?: Period;
}

/** A player who opens links to plans that are bounded, and what comes of them. */
export class PlanPlayer {
  readonly world = new World(BOUGHT);

  /** Opens a link to the plan. */
  open(linkId: string, { planId, trial, ...bounds }: BoundedPlan): void {
    const offer = {
      ...{ planId, planName: planId, planDescription: '', period: month, trial: trial ?? null },
      ...{ price: { amountMinor: '999', currency: 'USD' }, bounds: { ...NO_BOUNDS, ...bounds } },
    };
    const link = {
      ...{ linkId, appId: 'app_1', player: PLAYER, offer, regionCode: 'US', language: '' },
      ...{ returnUrl: '', personal: {}, createdAt: BOUGHT, expiresAt: '9999-01-01T00:00:00.000Z' },
    };
    this.world.run(checkoutLinkAggregate, linkId, { kind: 'CreateCheckoutLink', link });
  }

  /** Clicks on the page of a link, an hour after the last time. @returns what came of it. */
  click(linkId: string, paymentMethod = 'pm_ok'): string {
    this.world.now = addMilliseconds(this.world.now, HOUR_MS);
    const { now } = this.world;
    this.world.run(checkoutLinkAggregate, linkId, {
      ...{ kind: 'AttemptCheckout', paymentMethod, planIsAvailable: true, playerIsErased: false },
      ...{ taxRates: noTaxRates, now, wallNow: now },
    });
    return this.outcome(linkId);
  }

  /** Opens a link to the plan and clicks. */
  buy(linkId: string, plan: BoundedPlan, paymentMethod = 'pm_ok'): string {
    this.open(linkId, plan);
    return this.click(linkId, paymentMethod);
  }

  /** What the last attempt on a link has come to: why it was refused, else the status of the link. */
  outcome(linkId: string): string {
    const link = present(this.world.foldedState(checkoutLinkAggregate, linkId));
    return lastAttempt(link)?.refusal ?? link.status;
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

  /** The claims that are held. */
  held(): string[] {
    const { held } = this.world.foldedState(playerPlansAggregate, PLAYER);
    return held.map(({ claimId }) => claimId);
  }
}
