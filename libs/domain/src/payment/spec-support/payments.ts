import type { Instant } from '../../event/index.js';
import type { ChargeRequest, PaymentEvent } from '../payment.events.js';
import { evolvePayment, noPayment, type RequestedPayment } from '../payment.state.js';
import { periodCharge } from './period-charge.js';

/** The events of one payment for the specs, by which the first month of a subscription is paid. */
export const T0 = '2027-01-31T10:00:00.000Z';
export const method = { paymentMethodSubType: 'visa', issuerBank: 'Bank' };
export const decline = {
  reason: 'do_not_honor',
  declineClass: 'soft',
  rawDeclineCode: '05',
} as const;

export function usd(amountMinor: string) {
  return { amountMinor, currency: 'USD' };
}

export function requested(more: Partial<ChargeRequest> = {}): PaymentEvent {
  const { amount = usd('999') } = more;
  return {
    type: 'payment.requested.v3',
    data: {
      ...periodCharge({ subscriptionId: 'sub_1', amount, start: T0, number: 1 }),
      ...{ paymentId: 'pay_1', appId: 'app_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
      ...{ checkoutLinkId: 'link_1', paymentMethod: 'pm_ok', personal: {}, requestedAt: T0 },
      ...more,
    },
  };
}

export function capturedAt(at: Instant): PaymentEvent {
  return { type: 'payment.captured.v1', data: { ...method, capturedAt: at } };
}

export function declinedAt(failedAt: Instant): PaymentEvent {
  return { type: 'payment.declined.v1', data: { ...decline, ...method, failedAt } };
}

export function opened(disputeId: string, amount: string, openedAt: Instant): PaymentEvent {
  const data = { disputeId, amount: usd(amount), openedAt };
  return { type: 'payment.dispute_opened.v1', data };
}

export function closed(disputeId: string, won: boolean, closedAt: Instant): PaymentEvent {
  return { type: 'payment.dispute_closed.v1', data: { disputeId, won, closedAt } };
}

/** @param tax in the refund; null where the payment has none. */
export function refundAsked(
  refundId: string,
  amount: string,
  requestedAt: Instant,
  tax: string | null = null,
): PaymentEvent {
  const data = { refundId, amount: usd(amount), tax: tax === null ? null : usd(tax), requestedAt };
  return { type: 'payment.refund_requested.v1', data };
}

export function refunded(refundId: string, amount: string, refundedAt: Instant): PaymentEvent {
  return { type: 'payment.refunded.v1', data: { refundId, amount: usd(amount), refundedAt } };
}

export function refundFailed(refundId: string, amount: string, failedAt: Instant): PaymentEvent {
  return { type: 'payment.refund_failed.v1', data: { refundId, amount: usd(amount), failedAt } };
}

/** The payment after a history. */
export function fold(...history: readonly PaymentEvent[]): RequestedPayment {
  const state = history.reduce(evolvePayment, noPayment);
  if (state.status === 'none') throw new Error('the history asks for no payment');
  return state;
}
