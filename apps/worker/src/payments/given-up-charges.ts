import { Inject, Injectable } from '@nestjs/common';
import { toMilliseconds } from '#domain/calendar';
import { findReference, type RequestedPayment } from '#domain/payment';
import type { FoundCharge, PaymentGateways } from '#gateway';
import { type Log, wallClock, warnSeldom } from '#platform';
import { DAILY_MS, GIVEN_UP_ASKED_FOR_MS } from '../limits.js';
import { GATEWAYS, LOG } from '../tokens.js';
import { type Causation, PaymentCommands } from './payment-commands.js';
import { requireGateway } from './once-at-gateway.js';
import { ended, type JobResult } from './job-result.js';

/**
 * Charges that have no outcome at their bound (rules/payments 17). From there on the gateway is asked for their outcome
 * and never to charge: the player owes nothing any more.
 */
@Injectable()
export class GivenUpCharges {
  constructor(
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    private readonly payments: PaymentCommands,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * Gives a charge up, unless the gateway knows its outcome. One that is out of reach twice is not waited for.
   *
   * @param hasFailed whether an attempt before this one failed at the gateway.
   * @throws Fault of the store; of the gateway, where it has not failed before.
   */
  async giveUp(
    payment: RequestedPayment,
    causation: Causation,
    hasFailed: boolean,
  ): Promise<JobResult> {
    const { paymentId } = payment;
    const found = await this.#find(payment, causation).catch((error: unknown): FoundCharge => {
      if (!hasFailed) throw error;
      warnSeldom(this.log, error, 'a charge is given up without the gateway');
      return { status: 'unknown' };
    });
    if (found.status === 'captured' || found.status === 'declined') {
      await this.payments.settle(paymentId, causation, found);
      return ended(found.status);
    }
    const wallNow = wallClock.now();
    await this.payments.execute(paymentId, causation, (now) => ({
      kind: 'GiveUpPayment',
      now,
      wallNow,
    }));
    const text = 'a charge without an outcome is given up';
    // A player who closes the page of the bank is no fault of a gateway.
    if (payment.challengedAt === null) this.log.error({ paymentId }, text);
    else this.log.info({ paymentId }, text);
    return askAgain('given_up', wallNow);
  }

  /** Asks for the outcome of a charge that was given up, for as long as that may matter. @throws Fault. */
  async askAbout(payment: RequestedPayment, causation: Causation): Promise<JobResult> {
    const { paymentId, givenUp } = payment;
    const wallGivenUpAt = givenUp?.wallGivenUpAt ?? payment.updatedAt;
    const sinceMs = toMilliseconds(wallClock.now()) - toMilliseconds(wallGivenUpAt);
    if (sinceMs > GIVEN_UP_ASKED_FOR_MS) {
      this.log.warn({ paymentId }, 'a charge that was given up is not asked about any more');
      return ended('not_captured');
    }
    const found = await this.#find(payment, causation);
    // It failed when it was given up: that it was declined says nothing new.
    if (found.status === 'declined') return ended('declined');
    if (found.status !== 'captured') return askAgain('given_up', wallGivenUpAt);
    this.log.error({ paymentId }, 'a charge that was given up was captured: it goes back');
    await this.payments.settle(paymentId, causation, found);
    return ended('captured_late');
  }

  async #find(payment: RequestedPayment, causation: Causation) {
    const { paymentId, purpose } = payment;
    const gateway = await requireGateway(this.gateways, causation, payment);
    return gateway.findCharge({ key: paymentId, reference: findReference(purpose) });
  }
}

function askAgain(outcome: string, since: string): JobResult {
  return { outcome, again: { sinceMs: toMilliseconds(since), capMs: DAILY_MS } };
}
