import { Inject, Injectable } from '@nestjs/common';
import {
  findOpenRefund,
  isRefundMade,
  type Payment,
  paymentAggregate,
  type RequestedPayment,
  totalTax,
} from '#domain/payment';
import type { Accepted, Loaded } from '#event-store';
import { ApiError, Ledger, lookUntil, printed, STOPPING } from '#nest';
import { assertDefect, Fault } from '#platform';
import { printPayment } from '#representations';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import type { PaymentDto } from '../payment.dto.js';

/** How long a call waits for the gateway, which gives most refunds at once. */
const ANSWER_LIMIT_MS = 10_000;
/** Calls of a process that wait together, each of which looks four times a second; further ones do not wait. */
const WAITING_AT_MOST = 64;

type Asked = Accepted<Payment, unknown> & { readonly bucket: string };

/** The outcome of a refund that was asked for (rules/payments 13). */
@Injectable()
export class RefundOutcome {
  #waiting = 0;

  constructor(
    private readonly ledger: Ledger,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {}

  /**
   * The payment as its refund has left it; as it is without where the gateway takes longer
   * than a call may, too many calls wait already, or the store is out of reach just then.
   *
   * @throws ApiError 9 REFUND_REFUSED where the gateway does not give it back.
   */
  async await(id: string, refundId: string, asked: Asked): Promise<PaymentDto> {
    if (this.#waiting >= WAITING_AT_MOST) return this.#print(asked.state, asked, asked.replayed);
    this.#waiting += 1;
    try {
      const latest = await this.#untilEnded(id, refundId);
      if (latest === undefined) return await this.#print(asked.state, asked, asked.replayed);
      return await this.#answerEnded(id, refundId, asked, latest);
    } catch (error) {
      // The refund is under way: told to try again, a caller without a key would ask for another one.
      if (!(error instanceof Fault) || !error.retryable) throw error;
      return await this.#print(asked.state, asked, asked.replayed);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** The payment once the refund has ended; undefined where that takes longer than a call may. */
  #untilEnded(id: string, refundId: string): Promise<Loaded<Payment> | undefined> {
    const look = async () => {
      const latest = await this.ledger.load(paymentAggregate, id);
      return isOpen(latest.state, refundId) ? undefined : latest;
    };
    return lookUntil(look, { limitMs: ANSWER_LIMIT_MS, stopping: this.stopping });
  }

  /**
   * As of the event that ended it, so that a repeated request is answered as the first one was. Before that
   * event the refund is open and from it on it is not, so the event is found by halves.
   */
  async #answerEnded(
    id: string,
    refundId: string,
    asked: Asked,
    latest: Loaded<Payment>,
  ): Promise<PaymentDto> {
    let [before, at]: [Pick<Loaded<Payment>, 'state' | 'revision'>, Loaded<Payment>] = [
      asked,
      latest,
    ];
    while (at.revision - before.revision > 1) {
      const toRevision = Math.floor((before.revision + at.revision) / 2);
      const between = await this.ledger.load(paymentAggregate, id, { toRevision });
      if (isOpen(between.state, refundId)) before = between;
      else at = between;
    }
    return this.#answerAt(refundId, at, asked);
  }

  async #answerAt(refundId: string, at: Loaded<Payment>, asked: Asked): Promise<PaymentDto> {
    const { state } = at;
    if (state.status === 'none' || !isRefundMade(state, refundId)) throw refundRefused();
    return this.#print(at.state, { ...at, bucket: asked.bucket }, asked.replayed);
  }

  async #print(
    state: Payment,
    notes: Pick<Loaded<Payment>, 'revision' | 'position'> & { readonly bucket: string },
    replayed: boolean,
  ): Promise<PaymentDto> {
    assertDefect(state.status !== 'none', 'a refund of no payment');
    const { revision, position, bucket } = notes;
    const json = printPayment(asShown(state), await this.personalData.names(state));
    return printed(json, { revision, position, bucket, replayed });
  }
}

function isOpen(payment: Payment, refundId: string): boolean {
  return payment.status !== 'none' && findOpenRefund(payment, refundId) !== undefined;
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
