import type { Instant } from '../event/index.js';
import { isLateRefundId } from '../ids/index.js';
import type {
  PaymentRefundFailed,
  PaymentRefundRequested,
  RequestedPayment,
} from '../payment/index.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/** All of a payment that came too late is to be given back; the payment names the refund. */
export function returnLate(paymentId: string, now: Instant): ProcessStep {
  return { kind: 'payment', id: paymentId, command: { kind: 'ReturnPayment', now } };
}

/**
 * A payment that goes back by itself could not be given back. Where that was for a dispute that is closed by now, the
 * end of the dispute found this refund still on its way: so it is decided again (rules/payments 14).
 */
export function returnAgainOnRefusedReturn({
  data: { refundId, failedAt: now },
  state: { paymentId },
}: ProcessInput<PaymentRefundFailed, RequestedPayment>): ProcessStep[] {
  return isLateRefundId(refundId, paymentId) ? [returnLate(paymentId, now)] : [];
}

/**
 * A refund was asked for, by the studio or by a process: its amount is kept from what remains, and the gateway is
 * asked (rules/payments 13).
 */
export function refundOnRefundRequest({
  data: { refundId },
  state: { paymentId },
}: ProcessInput<PaymentRefundRequested, RequestedPayment>): ProcessStep[] {
  return [{ kind: 'refund', paymentId, refundId }];
}
