import { checkoutLinkAggregate } from '#domain/checkout-link';
import type { Period } from '#domain/calendar';
import { subscriptionAggregate } from '#domain/subscription';
import { present, World } from './world.js';

const BOUGHT = '2027-01-31T10:00:00.000Z';

/** The life of one subscription, from its checkout link on, and what merchants are told of it. */
export class Life {
  readonly #world = new World(BOUGHT);
  #payments = 0;

  constructor(trial: Period | null) {
    const link = {
      linkId: 'link_1',
      appId: 'app_1',
      externalAccountId: 'player-1',
      offer: {
        planId: 'plan_1',
        planName: 'Gold',
        planDescription: '',
        price: { amountMinor: '999', currency: 'USD' },
        period: { value: 1, unit: 'month' },
        trial,
      },
      regionCode: 'US',
      language: '',
      returnUrl: '',
      referenceId: '',
      metadata: {},
      createdAt: BOUGHT,
      expiresAt: '2027-02-01T10:00:00.000Z',
    } as const;
    this.#world.run(checkoutLinkAggregate, 'link_1', { kind: 'CreateCheckoutLink', link });
  }

  pay(paymentMethod: string, wallNow = BOUGHT): void {
    this.#payments += 1;
    this.#world.run(checkoutLinkAggregate, 'link_1', {
      kind: 'AttemptCheckout',
      paymentMethod,
      subscriptionId: `sub_${this.#payments}`,
      paymentId: `pay_${this.#payments}`,
      planIsAvailable: true,
      now: this.#world.now,
      wallNow,
    });
  }

  advance(to: string): void {
    this.#world.advance('sub_1', to);
  }

  settlePending(): void {
    this.#world.settlePending();
  }

  cancel(cancelAtPeriodEnd = true): string | undefined {
    const { now } = this.#world;
    const command = { kind: 'CancelSubscription', cancelAtPeriodEnd, now } as const;
    return this.#world.run(subscriptionAggregate, 'sub_1', command);
  }

  reactivate(): string | undefined {
    const { now } = this.#world;
    return this.#world.run(subscriptionAggregate, 'sub_1', { kind: 'ReactivateSubscription', now });
  }

  /** The webhooks since the last time. */
  told(): string[] {
    return this.#world.told.splice(0);
  }

  status(): string {
    return this.#world.stateOf(subscriptionAggregate, 'sub_1').status;
  }

  subscription() {
    return present(this.#world.stateOf(subscriptionAggregate, 'sub_1'));
  }

  link() {
    return present(this.#world.stateOf(checkoutLinkAggregate, 'link_1'));
  }
}
