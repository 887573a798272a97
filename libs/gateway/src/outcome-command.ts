import type { Instant } from '#domain/event';
import type { PaymentCommand } from '#domain/payment';
import type { ChargeOutcome } from './gateway.js';

/** What an outcome of a charge, answered or told by a notice, does to its payment (rules/payments 6). */
export function settleBy(
  outcome: Exclude<ChargeOutcome, { readonly status: 'pending' }>,
  now: Instant,
): PaymentCommand {
  const { method } = outcome;
  return outcome.status === 'captured'
    ? { kind: 'CapturePayment', method, now }
    : { kind: 'DeclinePayment', decline: outcome.decline, method, now };
}
