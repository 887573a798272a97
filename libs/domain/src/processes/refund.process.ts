import type { Instant } from '../event/index.js';
import { deriveLateRefundId } from '../ids/index.js';
import type { PaymentRefundRequested, RequestedPayment } from '../payment/index.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/** All of a payment that came too late is to be given back, under one id for each payment. */
export function returnLate(paymentId: string, now: Instant): ProcessStep {
  const refundId = deriveLateRefundId(paymentId);
  return { kind: 'payment', id: paymentId, command: { kind: 'ReturnPayment', refundId, now } };
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
