import type { Instant } from '../event/index.js';
import type { ChargeRequest, PaymentEvent } from './payment.events.js';
import { totalTax } from './payment.lines.js';
import type { PaymentPurpose, PurposeOutline } from './payment.purpose.js';
import {
  evolvePaymentProgress,
  initialPaymentProgress,
  type PaymentProgress,
} from './payment.state.js';

/**
 * A payment as it is shown, without the parts that the charge alone needs: payer, payment method, dates, lines, and the
 * merchant's own notes.
 */
export interface PaymentSummary
  extends
    PaymentProgress,
    Pick<ChargeRequest, 'paymentId' | 'appId' | 'player' | 'checkoutLinkId' | 'amount'> {
  readonly purpose: PurposeOutline;
  readonly tax: ReturnType<typeof totalTax>;
  readonly requestedAt: Instant;
}

/** A payment as shown, if it is there. */
export type ShownPayment = { readonly status: 'none' } | PaymentSummary;

/** Folds one event of a payment into its summary. Total. */
export function evolvePaymentSummary(state: ShownPayment, event: PaymentEvent): ShownPayment {
  if (state.status !== 'none') return evolvePaymentProgress(state, event);
  if (event.type !== 'payment.requested.v3') return state;
  const { paymentId, appId, player, checkoutLinkId, amount, lines } = event.data;
  const { purpose, requestedAt } = event.data;
  // Fields by name come first: an object that begins as a copy of another one takes forty times as long.
  return {
    paymentId,
    appId,
    player,
    checkoutLinkId,
    amount,
    requestedAt,
    purpose: outline(purpose),
    tax: totalTax(lines),
    ...initialPaymentProgress(event),
  };
}

function outline(purpose: PaymentPurpose): PurposeOutline {
  if (purpose.kind === 'order') return purpose;
  const { kind, subscriptionId, period, attempt } = purpose;
  return { kind, subscriptionId, period: { number: period.number }, attempt };
}
