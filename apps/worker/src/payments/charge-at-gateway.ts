import { Inject, Injectable } from '@nestjs/common';
import { isPositive } from '#domain/money';
import { findReference, isGivenUp, isOffSession, type RequestedPayment } from '#domain/payment';
import type { ChargeOutcome, PaymentGateways, SettledCharge } from '#gateway';
import { wallClock } from '#platform';
import type { ChallengeAddresses } from '#tenancy';
import { CHALLENGE_ADDRESSES, GATEWAYS, STOREFRONT_URL } from '../tokens.js';
import { type Causation, PaymentCommands } from './payment-commands.js';
import { chargeOnce, requireGateway } from './once-at-gateway.js';
import { GivenUpCharges } from './given-up-charges.js';
import { ended, type JobResult, pendingFor, pendingSince } from './job-result.js';
import type { ChargeJobData } from './payment-jobs.js';

/** Gateways refuse a charge of 0, or take it for a mistake: it is paid without one (decision 0019). */
const NOTHING_TO_CHARGE: SettledCharge = {
  status: 'captured',
  method: { paymentMethodSubType: '', issuerBank: '' },
};

/**
 * Charges a payment (rules/lifecycle 8). Its id is the gateway's idempotency key, and every step before and after is
 * harmless when repeated. A charge without an outcome at its bound is given up (rules/payments 17).
 */
@Injectable()
export class ChargeAtGateway {
  /** Jobs that have come to their gateway, by their data: another attempt of one of them failed there, or after that. */
  readonly #atGateway = new WeakSet<ChargeJobData>();

  constructor(
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    private readonly payments: PaymentCommands,
    private readonly givenUp: GivenUpCharges,
    @Inject(STOREFRONT_URL) private readonly storefrontUrl: string,
    @Inject(CHALLENGE_ADDRESSES) private readonly addresses: Pick<ChallengeAddresses, 'seal'>,
  ) {}

  /** @throws Fault. */
  async run(data: ChargeJobData, failuresBefore: number): Promise<JobResult> {
    const { charge, causation } = data;
    const { paymentId } = charge;
    const { payment, events } = await this.payments.execute(
      paymentId,
      causation,
      (now) => ({ kind: 'RequestPayment', charge, now }),
      // Its id follows from its purpose, so that it is there only where this was begun before.
      { isNew: failuresBefore === 0 },
    );
    if (isGivenUp(payment)) return this.givenUp.askAbout(payment, causation);
    if (payment.status !== 'PENDING') return ended('settled_before');
    if (!isPositive(payment.amount)) {
      await this.payments.settle(paymentId, causation, NOTHING_TO_CHARGE);
      return ended('captured');
    }
    const wasRequestedBefore = events.length === 0;
    const isAtBound = wasRequestedBefore && (await this.#isAtBound(data));
    // One that was never asked for, for an outage of ours, is asked for once, however late it is.
    const hasFailed = this.#atGateway.has(data);
    const wasAskedFor = hasFailed || payment.pendingSince !== null;
    if (isAtBound && wasAskedFor) {
      this.#atGateway.add(data);
      return this.givenUp.giveUp(payment, causation, hasFailed);
    }
    const before = { failuresBefore, mayBeUsed: wasRequestedBefore };
    const result = await this.#charge(payment, data, before);
    // It is not left open: its subscription has waited for as long as it may.
    const isOpen = isAtBound && result.outcome === 'pending';
    return isOpen ? this.givenUp.giveUp(payment, causation, hasFailed) : result;
  }

  async #charge(
    payment: RequestedPayment,
    data: ChargeJobData,
    before: { readonly failuresBefore: number; readonly mayBeUsed: boolean },
  ): Promise<JobResult> {
    const { paymentId } = payment;
    const { causation } = data;
    const { failuresBefore, mayBeUsed } = before;
    const outcome = await this.#ask(payment, data, mayBeUsed).catch(async (error: unknown) => {
      // An answer that was lost is there when asked again; a gateway that is down may stay so.
      if (failuresBefore > 0) await this.#leavePending(paymentId, causation);
      throw error;
    });
    if (outcome.status === 'challenge') {
      await this.#challenge(payment, causation, outcome.url);
      // It waits for a player, for a day where none comes: so its age counts by the clock of its app alone.
      return pendingFor(await this.payments.ageMs(payment, causation));
    }
    if (outcome.status === 'pending') {
      await this.#leavePending(paymentId, causation);
      return pendingSince(causation);
    }
    await this.payments.settle(paymentId, causation, outcome);
    return ended(outcome.status);
  }

  async #ask(
    payment: RequestedPayment,
    data: ChargeJobData,
    mayBeUsed: boolean,
  ): Promise<ChargeOutcome> {
    const { causation } = data;
    const { paymentId: key, purpose, paymentMethod, amount, checkoutLinkId } = payment;
    const gateway = await requireGateway(this.gateways, causation, payment);
    const reference = findReference(purpose);
    const offSession = isOffSession(purpose);
    const returnUrl = `${this.storefrontUrl}/checkout/${checkoutLinkId}`;
    const asked = { key, reference, paymentMethod, amount, offSession };
    const charge = offSession ? asked : { ...asked, returnUrl };
    const ageMs = await this.payments.ageMs(payment, causation);
    this.#atGateway.add(data);
    return chargeOnce(gateway, charge, { ageMs, mayBeUsed });
  }

  /** From here on the checkout leads the player to the bank (rules/payments 19). */
  async #challenge(payment: RequestedPayment, causation: Causation, url: string): Promise<void> {
    const sealedUrl = this.addresses.seal(payment, url);
    await this.payments.execute(payment.paymentId, causation, (now) => ({
      kind: 'ChallengePayment',
      sealedUrl,
      now,
    }));
  }

  /** A waiter for the outcome, such as a test clock, learns that it takes its time. */
  async #leavePending(paymentId: string, causation: Causation): Promise<void> {
    await this.payments.execute(paymentId, causation, (now) => ({
      kind: 'LeavePaymentPending',
      now,
    }));
  }

  async #isAtBound({ bound, causation }: ChargeJobData): Promise<boolean> {
    const now = bound.clock === 'wall' ? wallClock.now() : await this.payments.now(causation);
    return now >= bound.at;
  }
}
