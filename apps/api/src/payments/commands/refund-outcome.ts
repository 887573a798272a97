import { Inject, Injectable } from '@nestjs/common';
import { type Payment, paymentAggregate, type RequestedPayment, totalTax } from '#domain/payment';
import type { Accepted, Loaded } from '#event-store';
import { ApiError, Ledger, printed, STOPPING } from '#nest';
import { assertDefect, sleep } from '#platform';
import { printPayment } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import type { PaymentDto } from '../payment.dto.js';

/** How long a call waits for the gateway, which gives most refunds at once. */
const ANSWER_LIMIT_MS = 10_000;
/** The payment's stream is looked at after this time, then less and less often. */
const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const LOOK_SLOWER_BY = 1.2;

type Asked = Accepted<Payment, unknown> & { readonly bucket: string };

/** What became of a refund that was asked for (rules/payments 13). */
@Injectable()
export class RefundOutcome {
  constructor(
    private readonly ledger: Ledger,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /**
   * The payment as its refund has left it; where the gateway takes longer than a call may, as it is without.
   *
   * @throws ApiError 9 REFUND_REFUSED where the gateway does not give it back.
   */
  async await(id: string, refundId: string, asked: Asked): Promise<PaymentDto> {
    const endsAt = performance.now() + ANSWER_LIMIT_MS;
    let waitMs = FIRST_LOOK_MS;
    do {
      const latest = await this.ledger.load(paymentAggregate, id);
      if (!isOpen(latest.state, refundId)) return this.#answerEnded(id, refundId, asked, latest);
      // A stop is not held up: the worker goes on with the refund, and a webhook tells its outcome.
      if (this.stopping.aborted) break;
      await sleep(waitMs, this.stopping).catch(() => undefined);
      waitMs = Math.min(waitMs * LOOK_SLOWER_BY, SLOWEST_LOOK_MS);
    } while (performance.now() < endsAt);
    return this.#print(asked.state, asked, asked.replayed);
  }

  /** As of the event that ended it, so that a repeated request is answered as the first one was. */
  async #answerEnded(
    id: string,
    refundId: string,
    asked: Asked,
    latest: Loaded<Payment>,
  ): Promise<PaymentDto> {
    let before = asked.state;
    for (let toRevision = asked.revision + 1; toRevision < latest.revision; toRevision += 1) {
      const at = await this.ledger.load(paymentAggregate, id, { toRevision });
      if (!isOpen(at.state, refundId)) return this.#answerAt(before, at, asked);
      before = at.state;
    }
    return this.#answerAt(before, latest, asked);
  }

  async #answerAt(before: Payment, at: Loaded<Payment>, asked: Asked): Promise<PaymentDto> {
    if (given(before) === given(at.state)) throw refundRefused();
    return this.#print(at.state, { ...at, bucket: asked.bucket }, asked.replayed);
  }

  async #print(
    state: Payment,
    notes: Pick<Loaded<Payment>, 'revision' | 'position'> & { readonly bucket: string },
    replayed: boolean,
  ): Promise<PaymentDto> {
    assertDefect(state.status !== 'none', 'a refund of no payment');
    const { revision, position, bucket } = notes;
    const json = printPayment(asShown(state), await this.personalData.accountId(state));
    return printed(json, { revision, position, bucket, replayed });
  }
}

function isOpen(payment: Payment, refundId: string): boolean {
  return payment.status !== 'none' && payment.openRefunds.some((one) => one.refundId === refundId);
}

/** How much was given back, in minor units. */
function given(payment: Payment): string | undefined {
  return payment.status === 'none' ? undefined : payment.totalRefunded.amountMinor;
}

function asShown(state: RequestedPayment) {
  return { ...state, tax: totalTax(state.lines) };
}

function refundRefused(): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'REFUND_REFUSED',
    message: 'The gateway does not give this payment back.',
  });
}
