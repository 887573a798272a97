import { checkoutLinkAggregate } from '#domain/checkout-link';
import { deriveCheckoutPaymentId, deriveSubscriptionId } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import { noTaxRates } from '#domain/pricing';
import { type CommandExecutor, createCommandExecutor, requestParkedRetry } from '#event-store';
import { newId, newUuid, wallClock } from '#platform';
import { periodCharge } from '../../../libs/domain/src/payment/spec-support/period-charge.js';
import { offerAt } from '../../bench/purchases.js';
import type { GatedLedger } from './ledger.js';

/** A payment that was captured for a link that is not there: its stream is parked until the link is there. */
export class PaidWithoutLink {
  readonly #now = wallClock.now();
  readonly #player = newUuid().replaceAll('-', '');
  readonly linkId = newId('link', this.#now, this.#player.slice(0, 2));
  readonly #paymentId = deriveCheckoutPaymentId(this.linkId, {
    attempt: 1,
    attemptedAt: this.#now,
  });
  readonly #commands: CommandExecutor;

  constructor(private readonly ledger: GatedLedger) {
    this.#commands = createCommandExecutor(ledger.store, { cacheSize: 0 });
  }

  /** Which stream is parked. */
  get streamName(): string {
    return `${paymentAggregate.category}-${this.#paymentId}`;
  }

  async pay(): Promise<void> {
    const now = this.#now;
    const subscriptionId = deriveSubscriptionId(this.linkId, now);
    const amount = { amountMinor: '999', currency: 'USD' };
    const { appId } = this.ledger.purchases;
    const personal = await this.ledger.purchases.register(this.#player);
    const charge = {
      ...{ paymentId: this.#paymentId, appId, player: this.#player },
      ...periodCharge({ subscriptionId, amount, start: now, number: 1 }),
      ...{ checkoutLinkId: this.linkId, paymentMethod: 'pm_ok', personal },
    };
    const method = { paymentMethodSubType: '', issuerBank: '' };
    for (const command of [
      { kind: 'RequestPayment', charge, now } as const,
      { kind: 'CapturePayment', method, now } as const,
    ]) {
      await this.#commands.execute(paymentAggregate, this.#paymentId, command, this.#context);
    }
  }

  /** The cause is mended, and programs are asked to try again. */
  async mend(): Promise<void> {
    const now = this.#now;
    const { appId } = this.ledger.purchases;
    const link = { linkId: this.linkId, appId, player: this.#player };
    const attempt = {
      paymentMethod: 'pm_ok',
      planIsAvailable: true,
      playerIsErased: false,
      taxRates: noTaxRates,
      now,
      wallNow: now,
    };
    for (const command of [
      {
        kind: 'CreateCheckoutLink',
        link: { ...link, ...offerAt(now), personal: {} },
      } as const,
      { kind: 'AttemptCheckout', ...attempt } as const,
    ]) {
      await this.#commands.execute(checkoutLinkAggregate, this.linkId, command, this.#context);
    }
    await requestParkedRetry(this.ledger.store, 'chaos');
  }

  get #context() {
    const { appId } = this.ledger.purchases;
    return {
      ...{ appId, environment: 'test' as const, actor: 'app', correlationId: newUuid() },
      ...{ player: this.#player, now: this.#now },
    };
  }
}
