import type { Instant } from '#domain/event';
import type { PaymentCommand } from '#domain/payment';
import type { SettledCharge } from './gateway.js';

/** Makes a command of the outcome of a charge, answered or told by a notice, for its payment (rules/payments 6). */
export function settleBy(outcome: SettledCharge, now: Instant): PaymentCommand {
  const { method } = outcome;
  return outcome.status === 'captured'
    ? { kind: 'CapturePayment', method, now }
    : { kind: 'DeclinePayment', decline: outcome.decline, method, now };
}
