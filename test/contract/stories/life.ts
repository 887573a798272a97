import { checkoutLinkAggregate } from '#domain/checkout-link';
import { addMilliseconds, type Period } from '#domain/calendar';
import { deriveSubscriptionId } from '#domain/ids';
import { noTaxRates } from '#domain/pricing';
import {
  type ChangedPlan,
  quoteChange,
  type StartedSubscription,
  subscriptionAggregate,
  type WantedChange,
} from '#domain/subscription';
import type { WebhookMessage } from '#webhooks';
import { present, World } from './world.js';

const BOUGHT = '2027-01-31T10:00:00.000Z';
const SUBSCRIPTION_ID = deriveSubscriptionId('link_1', BOUGHT);
const PAUSE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The life of one subscription, from its checkout link on, and the webhooks of it. */
export class Life {
  readonly #world = new World(BOUGHT);
  #refunds = 0;
  #changes = 0;

  constructor(trial: Period | null) {
    const link = {
      linkId: 'link_1',
      appId: 'app_1',
      player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
      offer: {
        planId: 'plan_1',
        planName: 'Gold',
        planDescription: '',
        bounds: null,
        price: { amountMinor: '999', currency: 'USD' },
        period: { value: 1, unit: 'month' },
        trial,
      },
      regionCode: 'US',
      language: '',
      returnUrl: '',
      personal: {},
      createdAt: BOUGHT,
      expiresAt: '2027-02-01T10:00:00.000Z',
    } as const;
    this.#world.run(checkoutLinkAggregate, 'link_1', { kind: 'CreateCheckoutLink', link });
  }

  pay(paymentMethod: string, wallNow = BOUGHT): void {
    this.#world.run(checkoutLinkAggregate, 'link_1', {
      kind: 'AttemptCheckout',
      paymentMethod,
      planIsAvailable: true,
      playerIsErased: false,
      taxRates: noTaxRates,
      now: this.#world.now,
      wallNow,
    });
  }

  /** Pays when the pause that vain attempts cost is over, and a pending one can be replaced. */
  payAfterPause(paymentMethod: string): void {
    this.pay(paymentMethod, addMilliseconds(BOUGHT, this.link().attempts.length * PAUSE_MS));
  }

  /** Makes a link to a plan, or to another payment method where there is none, and pays on its page. */
  change(plan: ChangedPlan | null, paymentMethod = 'pm_ok', more: Partial<WantedChange> = {}) {
    const wanted = {
      plan,
      amountMinor: null,
      restartsPeriod: false,
      unusedCredit: 'forfeit' as const,
      ...more,
    };
    const { now } = this.#world;
    const taxRates = noTaxRates;
    const quoted = quoteChange(this.subscription(), wanted, { taxRates, now });
    if (!quoted.accepted) return quoted.rejection.code;
    if (quoted.quote.isScheduled) {
      const command = { kind: 'SchedulePlanChange', wanted, now } as const;
      return this.#world.run(subscriptionAggregate, SUBSCRIPTION_ID, command);
    }
    this.#changes += 1;
    const linkId = `link_c${this.#changes}`;
    const link = changeLink(linkId, this.subscription(), wanted);
    this.#world.run(checkoutLinkAggregate, linkId, { kind: 'CreateChangeLink', link });
    const agreed = { paymentMethod, shown: quoted.quote.amount };
    return this.#world.run(checkoutLinkAggregate, linkId, {
      ...{ kind: 'AttemptCheckout', ...agreed, planIsAvailable: true, playerIsErased: false },
      ...{ taxRates, now, wallNow: BOUGHT },
    });
  }

  /** The dollar ends: the plan has a price in euros, too. */
  moveToEuros(amountMinor: string): string | undefined {
    const { planId, period, price: formerPrice } = this.subscription();
    const price = { amountMinor, currency: 'EUR' };
    return this.#world.run(subscriptionAggregate, SUBSCRIPTION_ID, {
      ...{ kind: 'ChangeCurrency', from: 'USD', to: 'EUR', lockedPrices: 'keep' },
      offered: { planId, period, formerPrice, price },
      ...{ taxRates: noTaxRates, now: this.#world.now },
    });
  }

  /** The link of the last change. */
  changeLink() {
    return present(this.#world.foldedState(checkoutLinkAggregate, `link_c${this.#changes}`));
  }

  advanceBy(hours: number): void {
    this.advance(addMilliseconds(this.#world.now, hours * HOUR_MS));
  }

  /** Gives back a part of the payment that was captured last and has something left. */
  refundInPart(): void {
    this.#refunds += 1;
    const amount = { amountMinor: '100', currency: 'USD' };
    this.#world.refundLast(`ref_${this.#refunds}`, amount);
  }

  advance(to: string): void {
    this.#world.advance(SUBSCRIPTION_ID, to);
  }

  giveUpPending(): void {
    this.#world.giveUpPending();
  }

  settlePending(): void {
    this.#world.settlePending();
  }

  /** The next payment that is captured is disputed at once. */
  disputeNextCapture(): void {
    this.#world.disputeNextCapture();
  }

  /** The gateway refuses the next refund for a dispute, of which it tells only then. */
  disputeNextRefund(): void {
    this.#world.disputeNextRefund();
  }

  /** The app's subscriptions end when a dispute is lost. */
  endOnLostDispute(): void {
    this.#world.onLostDispute = 'end';
  }

  closeDispute(won: boolean): void {
    this.#world.closeDispute(won);
  }

  cancel(cancelAtPeriodEnd = true): string | undefined {
    const { now } = this.#world;
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd, now } as const;
    return this.#world.run(subscriptionAggregate, SUBSCRIPTION_ID, command);
  }

  reactivate(): string | undefined {
    const { now } = this.#world;
    return this.#world.run(subscriptionAggregate, SUBSCRIPTION_ID, {
      kind: 'ReactivateSubscription',
      now,
    });
  }

  /** The types of the webhooks since the last time. */
  sent(): string[] {
    return this.messages().map(({ type }) => type);
  }

  /** The webhooks since the last time. */
  messages(): WebhookMessage[] {
    return this.#world.sent.splice(0);
  }

  status(): string {
    return this.#world.foldedState(subscriptionAggregate, SUBSCRIPTION_ID).status;
  }

  subscription() {
    return present(this.#world.foldedState(subscriptionAggregate, SUBSCRIPTION_ID));
  }

  link() {
    return present(this.#world.foldedState(checkoutLinkAggregate, 'link_1'));
  }
}

function changeLink(
  linkId: string,
  { appId, player, subscriptionId, planId, price, period }: StartedSubscription,
  { plan, amountMinor, restartsPeriod, unusedCredit }: WantedChange,
) {
  const kind = plan === null ? ('payment_method' as const) : ('plan' as const);
  const offered = plan ?? { planId, price, period };
  return {
    ...{ linkId, appId, player, personal: {}, regionCode: 'US', language: '', returnUrl: '' },
    offer: { ...offered, planName: 'Gold', planDescription: '', trial: null, bounds: null },
    change: { kind, subscriptionId, amountMinor, restartsPeriod, unusedCredit },
    ...{ createdAt: BOUGHT, expiresAt: '9999-01-01T00:00:00.000Z' },
  };
}
